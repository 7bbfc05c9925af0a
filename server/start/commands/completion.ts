/** `latchkey completion`: prints a completion script for a shell, made from the specs. */
import { appTool } from './app-tool.ts'
import { isGroup, parseCommand, type Spec, UsageError } from './spec.ts'
import { completionSpec } from './specs/server.ts'
import { specs } from './specs/specs.ts'

/** Words that may follow a sequence of words: `app create` is followed by `--name`, `--id` and so on. */
type Completions = ReadonlyMap<string, string[]>

const everyCommand = ['--help', '--env-file']

export function listCompletions(all: Readonly<Record<string, Spec>>): Completions {
  const completions = new Map<string, string[]>([['', [...Object.keys(all), ...everyCommand, '--version']]])
  const add = (path: string, spec: Spec) => {
    const words = isGroup(spec)
      ? Object.keys(spec.commands)
      : Object.keys(spec.options ?? {}).map((option) => `--${option}`)
    completions.set(path, [...words, ...everyCommand])
    if (isGroup(spec))
      for (const [name, child] of Object.entries(spec.commands)) add(`${path} ${name}`, child)
  }
  for (const [name, spec] of Object.entries(all)) add(name, spec)
  completions.set('completion', ['bash', 'zsh', 'fish', ...everyCommand])
  return completions
}

const cases = (completions: Completions) =>
  [...completions].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')

/** Collects the leading words of the command line that are no options, at most two. */
const shells: Readonly<Record<string, (completions: Completions) => string>> = {
  bash: (completions) => `_latchkey() {
  local word path='' words='' count=0 at
  for ((at = 1; at < COMP_CWORD && count < 2; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ "$word" == -* ]] && continue
    path="\${path:+$path }$word"
    count=$((count + 1))
  done
  while :; do
    case "$path" in
${cases(completions)}
    esac
    [[ -n "$words" || "$path" != *' '* ]] && break
    path="\${path% *}"
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _latchkey latchkey`,

  zsh: (completions) => `#compdef latchkey
_latchkey() {
  local path_words='' list='' word
  local -i count=0 at
  for ((at = 2; at < CURRENT && count < 2; at++)); do
    word="\${words[at]}"
    [[ "$word" == -* ]] && continue
    path_words="\${path_words:+$path_words }$word"
    count=$((count + 1))
  done
  while :; do
    case "$path_words" in
${cases(completions).replaceAll(' words=', ' list=')}
    esac
    [[ -n "$list" || "$path_words" != *' '* ]] && break
    path_words="\${path_words% *}"
  done
  compadd -- \${=list} || _files
}
compdef _latchkey latchkey`,

  fish: (completions) => `function __latchkey_words
  set -l tokens (commandline -opc)
  set -l path
  for word in $tokens[2..-1]
    string match -q -- '-*' $word; and continue
    set -a path $word
    test (count $path) -eq 2; and break
  end
  while true
    switch "$path"
${[...completions].map(([path, words]) => `      case '${path}'\n        string join \\n -- ${words.join(' ')}; return`).join('\n')}
    end
    test (count $path) -lt 2; and return
    set -e path[-1]
  end
end
complete -c latchkey -a '(__latchkey_words)'`,
}

export async function run(args: string[]): Promise<void> {
  const { positionals } = parseCommand(completionSpec, args)
  const [shell = ''] = positionals
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!write || positionals.length > 1) throw new UsageError('Name your shell: bash, zsh or fish.')
  process.stdout.write(`${write(listCompletions({ ...specs, app: appTool.spec }))}\n`)
}
