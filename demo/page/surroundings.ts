/** Links to the local sandbox and to a second site of the app, where they exist. */
import { byId, metaContent } from './elements.ts'

/** Returns the second site. The server accepts any local host name, and the app lists two of them. */
const otherSite = () => {
  const url = new URL(location.href)
  if (!/^(demo|other)\./.test(url.hostname)) return undefined
  url.hostname = url.hostname.replace(/^(demo|other)\./, (name) => (name === 'demo.' ? 'other.' : 'demo.'))
  return url.origin
}

export const showSurroundings = () => {
  const sandbox = metaContent('inbox-url')
  byId('sandbox').hidden = sandbox === ''
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-sandbox]'))
    link.href = `${sandbox}${link.dataset.sandbox}`
  const other = otherSite()
  byId('second-site').hidden = other === undefined
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-second-site]'))
    if (other !== undefined) link.href = other
  byId('site').textContent = location.host
}
