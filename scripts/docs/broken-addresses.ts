// Finds links of built pages that lead to no file or to no anchor of the site.

import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const attributes = /\s(?:href|src)="(\/(?!\/)[^"]*|#[^"]*)"/g
const decode = (text: string) => decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&#38;', '&'))

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** `output` is the folder of a built site. */
export function brokenAddresses(output: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: output }).map((page) => [page, readFileSync(join(output, page), 'utf8')]),
  )
  const ids = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id = '']) => decode(id))),
    ]),
  )
  return [...pages].flatMap(([page, html]) => {
    const targets = new Set([...html.matchAll(attributes)].map(([, target = '']) => decode(target)))
    return [...targets].flatMap((target) => {
      const [address = '', anchor = ''] = target.split('#')
      const path = address === '' ? page : address.slice(1).replace(/\?.*$/, '')
      const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
      if (!isFile(join(output, file))) return [`${page}: ${target} leads to no file`]
      const anchors = ids.get(file)
      const isTop = anchor === '' || anchor === '_top'
      return isTop || anchors === undefined || anchors.has(anchor) ? [] : [`${page}: ${target} has no anchor`]
    })
  })
}
