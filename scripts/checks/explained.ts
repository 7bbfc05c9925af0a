// Every dependency has a reason, and the README of its package says it.

/** What stands together in a README: a paragraph, a row of a table, an item of a list, and in those a sentence. */
const statementsOf = (readme: string) => readme.split(/\n(?=\s*[|*-])|\n\s*\n|(?<=[.;])\s+/)

const wordsAround = (statement: string) => statement.replace(/`[^`]*`/g, ' ').match(/\p{L}{2,}/gu) ?? []
const fewestWords = 2

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
type Manifest = { readonly [list in (typeof lists)[number]]?: Readonly<Record<string, string>> }

/** The dependencies of a manifest that no statement of the README names, in backticks, with words that say why. */
export const unexplained = (manifest: Manifest, readme: string): readonly string[] => {
  const reasons = statementsOf(readme).filter((one) => wordsAround(one).length >= fewestWords)
  return (
    lists
      .flatMap((list) => Object.keys(manifest[list] ?? {}))
      // Each package of ours has a README that says why it exists.
      .filter((name) => !name.startsWith('@latchkey/'))
      .filter((name) => !reasons.some((reason) => reason.includes(`\`${name}\``)))
  )
}
