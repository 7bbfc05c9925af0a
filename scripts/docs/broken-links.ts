// Finds links of Markdown files that lead to no file or no heading of the repository.

import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { listHeadings, listLinks } from './markdown.ts'

/** A repository that tests replace. */
type Files = { exists: (path: string) => boolean; read: (path: string) => string }

const isExternal = (target: string) => /^[a-z][a-z+.-]*:|^\/\//i.test(target)

/** Returns the path from the root and the anchor of a relative link. */
export function resolveLink(page: string, target: string): { path: string; anchor: string } | undefined {
  if (isExternal(target)) return undefined
  const [relative = '', anchor = ''] = target.split('#')
  const path = relative === '' ? page : posix.normalize(posix.join(posix.dirname(page), relative))
  return { path, anchor }
}

export function brokenLinks(pages: string[], { exists, read }: Files): string[] {
  const anchors = new Map<string, ReadonlySet<string>>()
  const findAnchors = (path: string) => {
    const slugs = anchors.get(path) ?? new Set(listHeadings(read(path)).map(({ slug }) => slug))
    anchors.set(path, slugs)
    return slugs
  }
  return pages.flatMap((page) =>
    listLinks(read(page)).flatMap(({ line, target }) => {
      const link = resolveLink(page, target)
      if (link === undefined) return []
      const { path, anchor } = link
      if (path.startsWith('..') || !exists(path)) return [`${page}:${line}: ${target} leads to no file`]
      if (anchor === '' || !path.endsWith('.md') || findAnchors(path).has(decodeURIComponent(anchor)))
        return []
      return [`${page}:${line}: ${path} has no heading #${anchor}`]
    }),
  )
}

/** Returns the files below a root. */
export const filesBelow = (root: string): Files => ({
  exists: (path) => existsSync(join(root, path)),
  read: (path) => readFileSync(join(root, path), 'utf8'),
})
