/**
 * Builds `open.html`, the page for a waiting call. It preloads everything that a login needs, so that opening takes
 * two round trips. Without it, each level of imports would add one.
 *
 * Files for a login method stand between `<!--if smsAuth-->` and `<!--end-->`. The server keeps them for apps with
 * one of these settings, and `smsAuth while at most 4 of …` only for apps with few other methods.
 */
import type * as Protocol from '@latchkey/protocol'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>

/** Code in `lazy/` is loaded by its importer. */
const isAskedForLater = (moduleId: string) => /\/capabilities\/.+\/lazy\//.test(moduleId)

/** Capabilities that every login begins with: LANDING and the code screen. */
export const openingCapabilities: readonly string[] = ['landing', 'email', 'codes']

const getFolder = (moduleId: string) => /\/capabilities\/([^/]+)\//.exec(moduleId)?.[1] ?? ''

/** The dialog, its shell, and the first capabilities of a login. */
const isNeeded = (moduleId: string) =>
  moduleId.includes('/dialog-app/start/lazy/') ||
  /\/dialog-app\/shell\/(?!lazy\/)/.test(moduleId) ||
  (openingCapabilities.includes(getFolder(moduleId)) && !isAskedForLater(moduleId))

/** The preload data of a login method. */
export type Way = {
  setting: string
  capability: string
  preload?: 'wallets first' | 'beside few'
}

/** `screenLimits.web2EntriesMax`. */
export const entriesMax = 4

/** Returns the settings under which LANDING renders with this source. */
const createConditions = (ways: readonly Way[]) => {
  const on = (those: readonly Way[]) => those.map(({ setting }) => setting).join(' ')
  const others = ways.filter(({ capability }) => capability !== 'email')
  const inGroups = ways.filter(({ capability }) => capability !== 'siwe' && capability !== 'passkey')
  /** With many other methods, a method moves behind a button that loads it. */
  const whileFew = `while at most ${entriesMax} of ${on(inGroups)}`
  return (moduleId: string): readonly string[] => {
    if (isHowTheyStand(moduleId)) return [on(others)]
    const own = others.filter(({ capability }) => capability === getFolder(moduleId))
    const [way] = own
    if (way === undefined || isAskedForLater(moduleId)) return []
    if (way.preload === 'wallets first') return ['showWalletLoginFirst']
    return [way.preload === 'beside few' ? `${on(own)} ${whileFew}` : on(own)]
  }
}
const isHowTheyStand = (moduleId: string) => moduleId.includes('/capabilities/landing/lazy/options/')

/**
 * Node resolves the protocol's sources under the build's condition. The name is a constant, because Vite would
 * otherwise resolve it without that condition.
 */
const protocol = '@latchkey/protocol'

export const openPage = (): Plugin => ({
  name: 'open-page',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { path, bundle }) {
      if (path !== '/open.html' || !bundle) return html
      const { loginMethodRows } = (await import(protocol)) as typeof Protocol
      return html.replace('</head>', `${linksFor(html, bundle, Object.values(loginMethodRows))}</head>`)
    },
  },
})

/** Preloads stylesheets with the scripts, because Vite's loader would wait for them first. */
export function linksFor(html: string, bundle: Bundle, ways: readonly Way[]): string {
  const conditionsFor = createConditions(ways)
  const always = withImports(bundle, chunksWith(bundle, isNeeded))
  const conditionsByFile = new Map<string, Set<string>>()
  for (const chunk of chunksWith(bundle, (moduleId) => conditionsFor(moduleId).length > 0)) {
    const conditions = chunk.moduleIds.flatMap(conditionsFor)
    for (const file of listFiles(withImports(bundle, [chunk]))) {
      conditionsByFile.set(file, new Set([...(conditionsByFile.get(file) ?? []), ...conditions]))
    }
  }
  const requiredFiles = listFiles(always)
  const isNew = (file: string) => !html.includes(file)
  return [
    ...requiredFiles.filter(isNew).map(linkTo),
    ...[...conditionsByFile]
      .filter(([file]) => isNew(file) && !requiredFiles.includes(file))
      .map(([file, conditions]) => `<!--if ${[...conditions].join(' | ')}-->${linkTo(file)}<!--end-->`),
  ].join('\n')
}

const chunksWith = (bundle: Bundle, has: (moduleId: string) => boolean) =>
  Object.values(bundle).filter(
    (file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.moduleIds.some(has),
  )

function listFiles(chunks: readonly Rolldown.OutputChunk[]): readonly string[] {
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return [...chunks.map(({ fileName }) => fileName), ...new Set(styles)]
}

const linkTo = (file: string) =>
  `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`

function withImports(
  bundle: Bundle,
  chunks: readonly Rolldown.OutputChunk[],
): readonly Rolldown.OutputChunk[] {
  const chunksByName = new Map<string, Rolldown.OutputChunk>()
  const visit = (fileName: string) => {
    const file = bundle[fileName]
    if (file?.type !== 'chunk' || chunksByName.has(fileName)) return
    chunksByName.set(fileName, file)
    file.imports.forEach(visit)
  }
  for (const { fileName } of chunks) visit(fileName)
  return [...chunksByName.values()]
}
