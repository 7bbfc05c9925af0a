// Requires that a package's README gives a reason for each dependency.

/** Splits a README into statements: sentences, table rows and list items. */
const splitStatements = (readme: string) => readme.split(/\n(?=\s*[|*-])|\n\s*\n|(?<=[.;])\s+/)

const wordsAround = (statement: string) => statement.replace(/`[^`]*`/g, ' ').match(/\p{L}{2,}/gu) ?? []
const fewestWords = 2

const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const
type Manifest = { [list in (typeof lists)[number]]?: Readonly<Record<string, string>> }

/** Returns the dependencies that no README statement names in backticks with a reason. */
export const unexplained = (manifest: Manifest, readme: string): string[] => {
  const reasons = splitStatements(readme).filter((one) => wordsAround(one).length >= fewestWords)
  return (
    lists
      .flatMap((list) => Object.keys(manifest[list] ?? {}))
      // Our own packages explain themselves in their README.
      .filter((name) => !name.startsWith('@latchkey/'))
      .filter((name) => !reasons.some((reason) => reason.includes(`\`${name}\``)))
  )
}
