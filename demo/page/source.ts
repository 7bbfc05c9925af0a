/** The code that the page shows is the code that runs: the bundler gives the text of the very same files. */

const files = import.meta.glob<string>('../calls/*.ts', { query: '?raw', import: 'default', eager: true })

/** The body of an exported function, without the indentation that it has in its file. */
export const bodyOf = (name: string, sources: readonly string[] = Object.values(files)): string => {
  const found = sources.find((source) => source.includes(`export const ${name} = `))
  const [, body] =
    new RegExp(`export const ${name} = [^\\n]*=> \\{\\n([\\s\\S]*?)\\n\\}`).exec(found ?? '') ?? []
  if (body === undefined) throw new Error(`No call is named ${name}`)
  return body.replaceAll(/^ {2}/gm, '')
}
