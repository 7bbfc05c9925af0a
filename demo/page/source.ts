/** The source of the page's calls. The bundler provides the text of the files that run. */

const files = import.meta.glob<string>('../calls/*.ts', { query: '?raw', import: 'default', eager: true })

/** Returns the body of an exported function, without its indentation. */
export const readFunctionBody = (name: string, sources: readonly string[] = Object.values(files)): string => {
  const file = sources.find((source) => source.includes(`export const ${name} = `))
  const [, body] =
    new RegExp(`export const ${name} = [^\\n]*=> \\{\\n([\\s\\S]*?)\\n\\}`).exec(file ?? '') ?? []
  if (body === undefined) throw new Error(`Unknown call ${name}`)
  return body.replaceAll(/^ {2}/gm, '')
}
