/** What the command is told. */
export const usage = `npx @latchkey/migrate privy [--dry-run] [--force] [paths…]

Moves a React app from @privy-io/react-auth to @latchkey/loader/react. It changes what it is sure of, and names the rest.

  paths       files and folders; the current folder if you name none
  --dry-run   says what it would change, and writes nothing
  --force     writes even if git has uncommitted changes there
`

export type Arguments = {
  readonly isDryRun: boolean
  readonly isForced: boolean
  readonly paths: readonly string[]
}

const options = ['--dry-run', '--force']

/** The arguments, or a sentence that says what is wrong with them. */
export function readArguments(given: readonly string[]): Arguments | string {
  const [from, ...rest] = given
  if (from === undefined) return 'Say which kit your app comes from: privy'
  if (from !== 'privy') return `There is no way from "${from}": the one that is known is privy`
  const unknown = rest.find((each) => each.startsWith('-') && !options.includes(each))
  if (unknown !== undefined) return `There is no option ${unknown}`
  const paths = rest.filter((each) => !each.startsWith('-'))
  return {
    isDryRun: rest.includes('--dry-run'),
    isForced: rest.includes('--force'),
    paths: paths.length > 0 ? paths : ['.'],
  }
}
