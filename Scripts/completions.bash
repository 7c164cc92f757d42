
# bash breaks words at the colons of a URL: they are one word here.
_freshet_joined() {
    local rest="${COMP_LINE#"${COMP_WORDS[0]}"}"
    local -a joined=("${COMP_WORDS[0]}")
    local -i index place=0
    for ((index = 1; index < ${#COMP_WORDS[@]}; index++)); do
        local word="${COMP_WORDS[index]}"
        local space="${rest%%[![:space:]]*}"
        rest="${rest#"${space}"}"
        rest="${rest#"${word}"}"
        if [[ -n "${space}" ]]; then
            joined+=("${word}")
        else
            joined[${#joined[@]} - 1]+="${word}"
        fi
        [[ "${index}" -ne "${COMP_CWORD}" ]] || place="$((${#joined[@]} - 1))"
    done
    COMP_WORDS=("${joined[@]}")
    COMP_CWORD="${place}"
    _freshet "${1}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
}

complete -o filenames -F _freshet_joined freshet
