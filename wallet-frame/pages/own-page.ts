/** What every page beside the frame begins with: where it may run, whom it speaks with, how it looks and in which words. */
import './page.css'
import { product } from '@latchkey/protocol'
import { mayRunUnder } from './ancestors.ts'
import { type InLanguages, textsIn } from './languages.ts'
import { applyLook } from './look.ts'
import { readPageConfig } from './page-config.ts'
import { framePath, siblingAt } from './siblings.ts'

export type OwnPage<Texts> = { readonly frame: Window; readonly texts: Texts }

/** Gives undefined if the page runs in a place where it must not. */
export function openOwnPage<Texts>(languages: InLanguages<Texts>): OwnPage<Texts> | undefined {
  const config = readPageConfig(
    document.getElementById(product.inlineConfigElementId)?.textContent,
    location.search,
  )
  const ancestors: DOMStringList | undefined = location.ancestorOrigins
  const frame = siblingAt(framePath(config.appId))
  if (window.parent === window || !mayRunUnder(ancestors && [...ancestors], config) || !frame) {
    console.error(`${product.name}: this page does not run under these windows`)
    return undefined
  }
  const root = document.documentElement
  const { lang, dir, texts } = textsIn(location.search, languages)
  Object.assign(root, { lang, dir })
  applyLook(root, location.search)
  return { frame, texts }
}
