/** Writes what belongs to an app and a server into the places that the build of a page left for it. */
import { product } from '@latchkey/protocol'
import { html as escaped } from 'hono/html'

const configPlace = new RegExp(`(<script[^>]*\\bid="${product.inlineConfigElementId}"[^>]*>)[^<]*(</script>)`)
const preconnectPlace = '<!--wallet-preconnect-->'

export const hasPlaceForConfig = (html: string) => configPlace.test(html)

/** A name of an app may say `</script>`; as JSON it may say it in other letters. */
export const withConfig = (html: string, config: unknown): string => {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return html.replace(configPlace, (_, open: string, close: string) => `${open}${json}${close}`)
}

/** The connection to the wallet frame is made while the dialog's scripts are on their way. */
export const withPreconnect = (html: string, walletOrigin: string): string =>
  html.replace(preconnectPlace, () => escaped`<link rel="preconnect" href="${walletOrigin}">`.toString())
