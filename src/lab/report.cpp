#include "lab/report.h"

#include "core/error.h"

#include <algorithm>
#include <cctype>

namespace ridge {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 || cell[0] == '-' || cell[0] == '+');
}

// RFC 4180.
std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) {
  rows_.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> cells) {
  require(cells.size() == rows_.front().size(), "table: a row must have {} cells, got {}", rows_.front().size(),
          cells.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(TableStyle style) const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 3);
  std::vector<bool> numbers(columns, rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], rows_[r][c].size());
      if (r > 0 && !is_number(rows_[r][c])) numbers[c] = false;
    }
  }
  std::string out;
  const bool markdown = style == TableStyle::markdown;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string& cell = rows_[r][c];
      if (style == TableStyle::csv) {
        if (c != 0) line += ',';
        line += csv_cell(cell);
        continue;
      }
      line += markdown ? (c == 0 ? "| " : " | ") : (c == 0 ? "" : "  ");
      line += numbers[c] ? fmt::format("{:>{}}", cell, widths[c]) : fmt::format("{:<{}}", cell, widths[c]);
    }
    if (markdown) line += " |";
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
    if (markdown && r == 0) {
      for (std::size_t c = 0; c < columns; ++c) {
        out += c == 0 ? "| " : " | ";
        out.append(widths[c] - 1, '-');
        out += numbers[c] ? ':' : '-';
      }
      out += " |\n";
    }
  }
  return out;
}

std::string format_ms(double seconds) {
  return fmt::format("{:.3f}", seconds * 1e3);
}

std::string format_percent(double fraction) {
  return fmt::format("{:.1f} %", fraction * 100);
}

}  // namespace ridge
