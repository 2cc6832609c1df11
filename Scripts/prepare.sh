# Room:   Scripts. What a machine needs before Amber builds; sourced by the commands beside it.
# Takes:  names of what is needed: pkg-config, liblz4, lz4, git. Gives: a machine that has them, or a message and status 1.
# Touches: the system's packages, by apt-get or brew, only for what is missing.

readonly swift_needed=6.2

say() { printf '%s\n' "$*" >&2; }

# Ends unless a Swift toolchain is there that is new enough.
require_swift() {
    local version
    if ! command -v swift >/dev/null; then
        say "Swift $swift_needed or newer is needed and there is no swift on the PATH."
        say "Install it from https://www.swift.org/install and start again."
        exit 1
    fi
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | sed -n 1p)
    if [ -z "$version" ] || [ "$(printf '%s\n' "$swift_needed" "$version" | sort -V | sed -n 1p)" != "$swift_needed" ]; then
        say "Swift $swift_needed or newer is needed; this is ${version:-unknown} ($(command -v swift))."
        say "Install it from https://www.swift.org/install and start again."
        exit 1
    fi
}

# Makes the next build of a package look for new files: swift build sees those of the package itself, but not
# those of one it depends on by path, and then fails on names that a pulled file declares.
plan_anew() {
    touch "$1/Package.swift"
}

# Is this need met?
has() {
    case $1 in
        liblz4)
            if command -v pkg-config >/dev/null; then pkg-config --exists liblz4
            else compgen -G '/usr/include/lz4frame.h' >/dev/null; fi ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# The package that meets a need, for apt or for brew.
package_for() {
    case $1:$2 in
        apt:liblz4) echo liblz4-dev ;;
        brew:liblz4) echo lz4 ;;
        brew:pkg-config) echo pkgconf ;;
        *) echo "$2" ;;
    esac
}

# Says what to install by hand, and ends.
give_up() {
    local reason=$1
    shift
    say "$reason"
    if [ "$(uname)" = Darwin ]; then say "Please run: brew install $*"
    else say "Please run as root: apt-get update && apt-get install -y $*"
    fi
    exit 1
}

install_with_apt() {
    local run=()
    command -v apt-get >/dev/null || give_up "Missing: $*. There is no apt-get here; install the same packages by your system's means." "$@"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || give_up "Missing: $*. Installing needs root, and there is no sudo." "$@"
        # Without a terminal nobody can type a password.
        [ -t 0 ] || sudo -n true 2>/dev/null || give_up "Missing: $*. Installing needs root, and sudo wants a password." "$@"
        run=(sudo)
    fi
    run+=(env DEBIAN_FRONTEND=noninteractive apt-get)
    say "Installing $*"
    if ! "${run[@]}" install -y --no-install-recommends "$@" >&2; then
        say "Once more, with fresh package lists"
        "${run[@]}" update >&2 || say "apt-get update failed"
        "${run[@]}" install -y --no-install-recommends "$@" >&2 || give_up "apt-get could not install $*." "$@"
    fi
}

install_with_brew() {
    command -v brew >/dev/null || give_up "Missing: $*. There is no brew here." "$@"
    say "Installing $*"
    brew install "$@" >&2 || give_up "brew could not install $*." "$@"
}

# Meets every need named, installing what is missing.
require() {
    local manager=apt need missing=() packages=()
    [ "$(uname)" = Darwin ] && manager=brew
    for need in "$@"; do
        if ! has "$need"; then
            missing+=("$need")
            packages+=("$(package_for "$manager" "$need")")
        fi
    done
    [ ${#missing[@]} -eq 0 ] && return
    "install_with_$manager" "${packages[@]}"
    for need in "${missing[@]}"; do
        has "$need" || give_up "$need is still missing after the installation." "${packages[@]}"
    done
}
