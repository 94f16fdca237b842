#include "text/stream_decoder.h"

#include <utility>

#include "text/utf8.h"

namespace ridge {

std::string StreamDecoder::push(std::int32_t id) {
  pending_ += tokenizer_->decode({&id, 1}, skip_special_);
  std::size_t done = 0;
  while (true) {
    done += valid_utf8_prefix(std::string_view(pending_).substr(done));
    if (done == pending_.size()) break;
    const Utf8Unit unit = utf8_unit(std::string_view(pending_).substr(done));
    if (unit.kind == Utf8Unit::Kind::incomplete) break;
    done += unit.size;
  }
  std::string text = replace_broken_utf8(std::string_view(pending_).substr(0, done));
  pending_.erase(0, done);
  return text;
}

std::string StreamDecoder::finish() {
  return replace_broken_utf8(std::exchange(pending_, {}));
}

}  // namespace ridge
