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

/**
 * What stands between `<!--if smsAuth googleOauth-->` and `<!--end-->` is for an app that has one of the settings on;
 * `walletAuth while at most 4 of smsAuth googleOauth` asks for no more than so many others beside it, and ` | ` stands
 * between such conditions of which one is enough. The places are the build's own: nothing of an app is in the page yet.
 */
export const withSettings = (html: string, settings: object): string =>
  html.replace(/<!--if ([\w |]+)-->([\s\S]*?)<!--end-->/g, (_, conditions: string, part: string) =>
    conditions.split(' | ').some((condition) => isMet(condition, settings)) ? part : '',
  )

function isMet(condition: string, settings: object): boolean {
  const on = (names: string) => names.split(' ').filter((name) => Reflect.get(settings, name) === true).length
  const [wanted = '', room] = condition.split(' while at most ')
  const [most, others] = room?.split(' of ') ?? []
  return on(wanted) > 0 && (others === undefined || on(others) <= Number(most))
}

/** The icon of an app, for a page in a tab or window of its own. */
export const withIcon = (html: string, iconUrl: string | null): string =>
  iconUrl === null
    ? html
    : html.replace(configPlace, (place) => escaped`<link rel="icon" href="${iconUrl}">`.toString() + place)

/** The connection to the wallet frame is made while the dialog's scripts are on their way. */
export const withPreconnect = (html: string, walletOrigin: string): string =>
  html.replace(preconnectPlace, () => escaped`<link rel="preconnect" href="${walletOrigin}">`.toString())
