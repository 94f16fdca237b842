// Tables of text, Markdown and CSV.
#pragma once

#include <string>
#include <vector>

namespace ridge {

enum class TableStyle { text, markdown, csv };

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  // As many cells as the header has. Throws Error otherwise.
  void add(std::vector<std::string> cells);
  // Columns aligned: the first to the left, the others to the right where they hold numbers.
  [[nodiscard]] std::string text(TableStyle style = TableStyle::text) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

std::string format_ms(double seconds);        // "1.234"
std::string format_percent(double fraction);  // "12.3 %"

}  // namespace ridge
