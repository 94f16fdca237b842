// A parsed template.
#pragma once

#include "text/jinja/operators.h"
#include "text/jinja/value.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ridge::jinja {

struct Expression;
struct Statement;
using ExpressionPtr = std::unique_ptr<Expression>;
using Block = std::vector<std::unique_ptr<Statement>>;

enum class ExpressionKind {
  kConstant,
  kName,
  kTuple,
  kList,
  kDict,  // operands: key, value, key, value ...
  kAttribute,
  kItem,
  kSlice,   // operands: value, start, stop, step; null when absent
  kCall,    // operands: the callee
  kFilter,  // operands: the value; null in a filter block, whose text is the value
  kTest,    // operands: the value
  kNot,
  kNegate,
  kPlus,
  kArithmetic,
  kAnd,
  kOr,
  kConcat,
  kCompare,             // operands: one more than there are comparisons
  kConditional,         // operands: test, value, other value; null without else
  kNamespaceReference,  // a target: name.attribute
};

struct CallArguments {
  std::vector<ExpressionPtr> positional;
  std::vector<std::pair<std::string, ExpressionPtr>> named;
  ExpressionPtr more_positional;  // *value
  ExpressionPtr more_named;       // **value
};

struct Expression {
  ExpressionKind kind = ExpressionKind::kConstant;
  int line = 0;
  int depth = 1;
  std::string name{};       // of a variable, attribute, filter or test
  std::string attribute{};  // of a namespace reference
  Value constant{};
  Operator op = Operator::kAdd;
  std::vector<Operator> comparisons{};
  std::vector<ExpressionPtr> operands{};
  std::unique_ptr<CallArguments> arguments{};
};

enum class StatementKind {
  kData,
  kPrint,  // expressions
  kFor,
  kIf,
  kSet,       // target = expressions[0]
  kSetBlock,  // target = the text of body, through expressions[0] when it is there
  kMacro,
  kCallBlock,  // expressions[0] is the call
  kFilterBlock,
  kWith,        // targets and expressions
  kGeneration,  // the block that marks what the model wrote: it renders as its body
  kBreak,
  kContinue,
};

struct Parameter {
  std::string name;
  ExpressionPtr fallback;  // null: required
};

// The parameters and body of a macro, or of the caller that a call block makes.
struct Signature {
  std::string name;  // empty for a caller
  std::vector<Parameter> parameters;
  bool uses_caller = false;
  bool uses_varargs = false;
  bool uses_kwargs = false;
};

struct Branch {
  ExpressionPtr test;  // null: else
  Block body;
};

struct Statement {
  StatementKind kind = StatementKind::kData;
  int line = 0;
  std::string text{};
  std::vector<ExpressionPtr> targets{};
  std::vector<ExpressionPtr> expressions{};
  ExpressionPtr condition{};  // of a for loop
  bool recursive = false;
  Block body{};
  Block otherwise{};
  std::vector<Branch> branches{};
  Signature signature{};
};

struct Program {
  Block body;
};

}  // namespace ridge::jinja
