import type { ArgumentRow, CommandRow, OptionRow } from './command.js'
import { commandGroups, commands, commonOptions } from './commands.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/**
 * A completion script for a shell, made from the table of commands: only names of tools and servers are looked up on
 * Tab.
 */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bashScript()
    case 'zsh':
      return zshScript()
    case 'fish':
      return fishScript()
  }
}

/** A position on the command line: the program itself, a command, or a group. */
interface CompletionContext {
  /** The words so far, without the options. */
  path: string
  words: { word: string; summary: string }[]
  options: readonly OptionRow[]
  argument: ArgumentRow['completes']
}

function places(): CompletionContext[] {
  const groups = Object.entries(commandGroups).map(([name, summary]) => ({ name, summary, examples: [] }))
  const rows: Pick<CommandRow, 'name' | 'summary' | 'options' | 'arguments'>[] = [...commands, ...groups]
  const wordsAfter = (path: string): CompletionContext['words'] =>
    rows.flatMap(({ name, summary }) => {
      const rest = path === '' ? name : name.startsWith(`${path} `) ? name.slice(path.length + 1) : ''
      return rest === '' || rest.includes(' ') ? [] : [{ word: rest, summary }]
    })
  const root: CompletionContext = { path: '', words: wordsAfter(''), options: [VERSION], argument: undefined }
  return [
    root,
    ...rows.map((row) => ({
      path: row.name,
      // Help takes the words of any command.
      words: wordsAfter(row.name === 'help' ? '' : row.name),
      options: row.options ?? [],
      argument: row.arguments?.[0]?.completes,
    })),
  ]
}

const VERSION: OptionRow = { flags: '--version', description: 'print the versions' }
const HELP: OptionRow = { flags: '-h, --help', description: 'print this' }
const everywhere = [...commonOptions, HELP]

const long = ({ flags }: OptionRow): string => /--[\w-]+/.exec(flags)![0]
const takesValue = ({ flags }: OptionRow): boolean => flags.includes('<')
const valued = (): string[] => [
  ...new Set(
    [...commonOptions, ...commands.flatMap(({ options = [] }) => options)].filter(takesValue).map(long),
  ),
]

function bashScript(): string {
  const cases = places().map(({ path, words, options, argument }) => {
    const listed = typeof argument === 'object' ? argument : []
    const names = typeof argument === 'string' ? `; names=${argument}` : ''
    return `    ${quoted(path)}) words=${quoted([...words.map(({ word }) => word), ...listed].join(' '))}; options=${quoted(options.map(long).join(' '))}${names} ;;`
  })
  return `# bash completion of toolcrib; to load it: source <(toolcrib completion bash)
_toolcrib() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' rest=0 word words options names i
  local config=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --) compopt -o default; return ;;
      --config) config=(--config "\${COMP_WORDS[i+1]}"); ((i++)) ;;
      ${valued()
        .filter((flag) => flag !== '--config')
        .join('|')}) ((i++)) ;;
      -*) ;;
      *) if ((rest == 0)) && _toolcrib_at "\${path:+$path }$word"; then path="\${path:+$path }$word"; else ((rest++)); fi ;;
    esac
  done
  case $prev in ${valued().join('|')}) compopt -o default; return ;; esac
  _toolcrib_at "$path"
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options ${everywhere.map(long).join(' ')}" -- "$cur"))
    return
  fi
  ((rest > 0)) && { compopt -o default; return; }
  [[ -n $names ]] && words="$words $(toolcrib completion --names "$names" "\${config[@]}" 2>/dev/null)"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  ((\${#COMPREPLY[@]} == 0)) && compopt -o default
}
_toolcrib_at() {
  names=''
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
complete -F _toolcrib toolcrib`
}

function zshScript(): string {
  const cases = places().map(({ path, words, options, argument }) => {
    const described = (word: string, summary: string): string => quoted(`${word}:${summary}`)
    const listed = typeof argument === 'object' ? argument.map((word) => quoted(word)) : []
    const names = typeof argument === 'string' ? `; names=${argument}` : ''
    const shown = words.map(({ word, summary }) => described(word, summary))
    const flags = options.map((option) => described(long(option), option.description))
    return `    ${quoted(path)}) list=(${[...shown, ...listed].join(' ')}); flags=(${flags.join(' ')})${names} ;;`
  })
  return `#compdef toolcrib
# zsh completion of toolcrib; to load it: source <(toolcrib completion zsh)
_toolcrib() {
  local at='' word names i rest=0
  local -a list flags config
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      --) _files; return ;;
      --config) config=(--config "\${words[i+1]}"); ((i++)) ;;
      ${valued()
        .filter((flag) => flag !== '--config')
        .join('|')}) ((i++)) ;;
      -*) ;;
      *) if ((rest == 0)) && _toolcrib_at "\${at:+$at }$word"; then at="\${at:+$at }$word"; else ((rest++)); fi ;;
    esac
  done
  case \${words[CURRENT-1]} in ${valued().join('|')}) _files; return ;; esac
  _toolcrib_at "$at"
  if [[ \${words[CURRENT]} == -* ]]; then
    flags+=(${everywhere.map((option) => quoted(`${long(option)}:${option.description}`)).join(' ')})
    _describe option flags
    return
  fi
  ((rest > 0)) && { _files; return }
  [[ -n $names ]] && list+=(\${(f)"$(toolcrib completion --names $names $config 2>/dev/null)"})
  if ((\${#list} > 0)); then _describe word list; else _files; fi
}
_toolcrib_at() {
  names=''
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
compdef _toolcrib toolcrib`
}

function fishScript(): string {
  const lines = places().flatMap(({ path, words, options, argument }) => {
    const when = `-n ${quoted(`__toolcrib_at ${quoted(path)}`)}`
    const within = path === '' ? '' : ` -n ${quoted(`__toolcrib_in ${quoted(path)}`)}`
    return [
      ...words.map(({ word, summary }) => `complete -c toolcrib -f ${when} -a ${word} -d ${quoted(summary)}`),
      ...(typeof argument === 'object'
        ? [`complete -c toolcrib -f ${when} -a ${quoted(argument.join(' '))}`]
        : []),
      ...(typeof argument === 'string'
        ? [
            `complete -c toolcrib -f ${when} -a ${quoted(`(toolcrib completion --names ${argument} 2>/dev/null)`)}`,
          ]
        : []),
      ...options.map((option) => `complete -c toolcrib${within}${fishOption(option)}`),
    ]
  })
  return `# fish completion of toolcrib; to load it: toolcrib completion fish | source
function __toolcrib_path
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valued().join(' ')}
        set skip 1
      case '-*'
      case '*'
        echo $word
    end
  end
end
function __toolcrib_at
  test "$(__toolcrib_path | string join ' ')" = "$argv[1]"
end
function __toolcrib_in
  string match -q -- "$argv[1] *" "$(__toolcrib_path | string join ' ') "
end
${[...lines, ...everywhere.map((option) => `complete -c toolcrib${fishOption(option)}`)].join('\n')}`
}

function fishOption(option: OptionRow): string {
  const short = /^-(\w),/.exec(option.flags)?.[1]
  const parts = [
    ...(short === undefined ? [] : [`-s ${short}`]),
    `-l ${long(option).slice(2)}`,
    ...(takesValue(option) ? ['-r'] : []),
    `-d ${quoted(option.description)}`,
  ]
  return ` ${parts.join(' ')}`
}

/** Quoted as one word for any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
