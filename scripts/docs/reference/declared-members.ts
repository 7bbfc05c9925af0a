/** Reads members of TypeScript types with their documentation comments. TypeScript 7 has no programming interface. */

type Member = { name: string; signature: string; meaning: string }

const member = /^ {2}(?:\/\*\*([\s\S]*?)\*\/\s+)?(?:(\w+)(?:<[^\n]*)?(\([\s\S]*?\n? *\): [^\n]+|: [^\n]+))$/gm

const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Returns the members of `export type <name> = … {`. */
export function readMembers(source: string, type: string): Member[] {
  const start = new RegExp(`^export type ${type} = [^\\n]*\\{\\n`, 'm').exec(source)
  if (start === null) throw new Error(`There is no type ${type}`)
  const from = start.index + start[0].length
  const body = source.slice(from, source.indexOf('\n}\n', from) + 1)
  return [...body.matchAll(member)].map(([, comment = '', name = '', signature = '']) => ({
    name,
    signature: joinLines(signature),
    meaning: joinLines(comment.replaceAll(/^\s*\* ?/gm, '')),
  }))
}
