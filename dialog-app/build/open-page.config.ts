/**
 * `open.html` is the page for a call that waits: it asks at once for all that a login needs, so that opening is two
 * round trips, the page and everything else. A script that imports another would make each import one more.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>

/** The dialog, its face, LANDING and the code screen. */
const isNeeded = (moduleId: string) =>
  /\/start-dialog\.ts$|\/face\/index\.tsx$|\/capabilities\/(?:landing|email|codes)\/(?!texts\.ar\.ts|later-)/.test(
    moduleId,
  )

export const openPage = (): Plugin => ({
  name: 'open-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path, bundle }) => (path === '/open.html' && bundle ? linksFor(html, bundle) : []),
  },
})

/** Style sheets come beside the scripts; Vite's own loading would wait for them first. */
export function linksFor(html: string, bundle: Bundle): HtmlTagDescriptor[] {
  const chunks = withImports(
    bundle,
    Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' && file.moduleIds.some(isNeeded) ? [file.fileName] : [],
    ),
  ).filter(({ fileName }) => !html.includes(fileName))
  const styles = new Set(chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return [
    ...chunks.map(({ fileName }) => link('modulepreload', fileName)),
    ...[...styles].map((fileName) => link('stylesheet', fileName)),
  ]
}

function withImports(bundle: Bundle, fileNames: readonly string[]): readonly Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>()
  const visit = (fileName: string) => {
    const file = bundle[fileName]
    if (file?.type !== 'chunk' || found.has(fileName)) return
    found.set(fileName, file)
    file.imports.forEach(visit)
  }
  fileNames.forEach(visit)
  return [...found.values()]
}

const link = (rel: string, fileName: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel, crossorigin: true, href: `/${fileName}` },
  injectTo: 'head',
})
