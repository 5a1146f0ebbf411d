import ArgumentParser

/// Adapts the generated completion scripts to names with colons and equals signs.
enum CompletionScript {
    private static let option = "--generate-completion-script"

    /// Writes the script for the shell in the arguments.
    ///
    /// - Returns: Whether the arguments ask for a script that this type adapts.
    static func write(for arguments: [String]) -> Bool {
        guard arguments.count == 2, arguments[0] == option else { return false }
        switch arguments[1] {
        case "bash": printText(Tappa.completionScript(for: .bash) + wholeWords)
        case "zsh": printText(withoutBlank(Tappa.completionScript(for: .zsh)))
        default: return false
        }
        return true
    }

    /// A function for bash that joins the words which bash has split, and is called in place of the generated one.
    private static let wholeWords = #"""


        # bash splits words at = and :, which settings and addresses contain. This completes whole words.
        _tappa_whole_words() {
            local line="${COMP_LINE:0:COMP_POINT}" word piece
            local -a whole=()
            local -i index
            for ((index = 0; index <= COMP_CWORD; index++)); do
                piece="${COMP_WORDS[index]}"
                if [[ "${index}" -eq 0 || -z "${line}" || "${line}" = [[:space:]]* ]]; then
                    line="${line#"${line%%[![:space:]]*}"}"
                    word=''
                else
                    unset 'whole[-1]'
                fi
                [[ "${index}" -eq "${COMP_CWORD}" ]] && piece="${line}"
                line="${line#"${piece}"}"
                word+="${piece}"
                whole+=("${word//\\/}")
            done
            [[ "${piece}" = *[!=:]* ]] || piece=''
            local before="${word%"${piece}"}"
            COMP_WORDS=("${whole[@]}")
            COMP_CWORD="$((${#whole[@]} - 1))"
            COMP_LINE="${COMP_LINE:0:COMP_POINT}"
            _tappa "${1}" "${whole[-1]}" "${whole[-2]}"
            # bash replaces only what follows the last separator.
            COMPREPLY=("${COMPREPLY[@]#"${before//\\/}"}")
            # A value follows the equals sign of a setting.
            [[ "${COMPREPLY[*]}" = *= ]] && compopt +o filenames -o nospace
        }

        complete -o filenames -F _tappa_whole_words tappa
        """#

    /// Returns a script for zsh that appends no blank to the equals sign of a setting.
    private static func withoutBlank(_ script: String) -> String {
        script.replacing(
            "    _describe -V '' non_empty_completions --",
            with: #"""
                    local -a suffix=()
                    [[ "${*}" = *= ]] && suffix=(-S '')
                    _describe -V '' non_empty_completions "${suffix[@]}" --
                """#)
    }
}
