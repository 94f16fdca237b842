// A model's hyperparameters by one set of names (those of GGUF without the architecture's prefix), wherever they stand.
#pragma once

#include "core/json.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ridge {

class GgufFile;

class Hyperparameters {
 public:
  virtual ~Hyperparameters() = default;

  // None when the file does not say. Throws Error naming file, key and value when it is not a number.
  [[nodiscard]] virtual std::optional<std::int64_t> integer(std::string_view key) const = 0;
  [[nodiscard]] virtual std::optional<double> real(std::string_view key) const = 0;

  // "llama", as the file spells its architecture.
  [[nodiscard]] virtual std::string architecture() const = 0;
  // The file, for errors.
  [[nodiscard]] virtual std::string file() const = 0;
  [[nodiscard]] virtual std::string model_name() const = 0;
  // Whether the rows of Q and K are ordered so that neighbouring channels turn together (GGUF does that).
  [[nodiscard]] virtual bool neighbouring_rope_pairs() const = 0;
  // Whether the output matrix is the token embedding.
  [[nodiscard]] virtual bool tied_embedding() const = 0;

  // The integer `key`, which must be there and in [least, most]. Throws Error with the rule and the value.
  [[nodiscard]] std::int64_t integer_in(std::string_view key, std::int64_t least, std::int64_t most) const;
  [[nodiscard]] double positive_real(std::string_view key) const;
};

// Views `file`, which must outlive it.
class GgufHyperparameters final : public Hyperparameters {
 public:
  explicit GgufHyperparameters(const GgufFile& file);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const override;
  [[nodiscard]] std::optional<double> real(std::string_view key) const override;
  [[nodiscard]] std::string architecture() const override { return architecture_; }
  [[nodiscard]] std::string file() const override;
  [[nodiscard]] std::string model_name() const override;
  [[nodiscard]] bool neighbouring_rope_pairs() const override { return true; }
  [[nodiscard]] bool tied_embedding() const override;

 private:
  const GgufFile& file_;
  std::string architecture_;
};

// A Hugging Face config.json.
class ConfigHyperparameters final : public Hyperparameters {
 public:
  ConfigHyperparameters(const Json& config, std::string file);
  ~ConfigHyperparameters() override;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key) const override;
  [[nodiscard]] std::optional<double> real(std::string_view key) const override;
  [[nodiscard]] std::string architecture() const override;
  [[nodiscard]] std::string file() const override { return file_; }
  [[nodiscard]] std::string model_name() const override;
  [[nodiscard]] bool neighbouring_rope_pairs() const override { return false; }
  [[nodiscard]] bool tied_embedding() const override;

 private:
  [[nodiscard]] const Json* find(std::string_view key) const;

  std::unique_ptr<Json> config_;  // on the heap: the header knows the type by name only
  std::string file_;
};

}  // namespace ridge
