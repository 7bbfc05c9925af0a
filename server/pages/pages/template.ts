/** Fills the placeholders of a built page with values of an app and the server. */
import { product } from '@latchkey/protocol'
import { html as escaped } from 'hono/html'

const configPlaceholder = new RegExp(
  `(<script[^>]*\\bid="${product.inlineConfigElementId}"[^>]*>)([^<]*)(</script>)`,
)
const preconnectPlaceholder = '<!--wallet-preconnect-->'

export const hasConfigPlaceholder = (html: string) => configPlaceholder.test(html)

/** Inserts the config as JSON. Escapes `<`, so that an app name can not close the script element. */
export const withConfig = (html: string, config: unknown): string =>
  withConfigText(html, JSON.stringify(config).replaceAll('<', '\\u003c'))

export const withConfigText = (html: string, json: string): string =>
  html.replace(configPlaceholder, (_, open: string, _placeholder, close: string) => `${open}${json}${close}`)

/** Returns the JSON that `withConfig` inserted. */
export const readConfigText = (html: string): string | undefined => configPlaceholder.exec(html)?.[2]

/**
 * Keeps the parts between `<!--if smsAuth googleOauth-->` and `<!--end-->` if one of the settings is on. `walletAuth
 * while at most 4 of smsAuth googleOauth` also limits how many of the other settings are on. ` | ` separates
 * alternative conditions. Call it before inserting values of an app: only the build may define conditions.
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

/** Adds the app's icon, for top-level pages. */
export const withIcon = (html: string, iconUrl: string | null): string =>
  iconUrl === null
    ? html
    : html.replace(
        configPlaceholder,
        (place) => escaped`<link rel="icon" href="${iconUrl}">`.toString() + place,
      )

/** Preconnects to the wallet frame while the dialog's scripts load. */
export const withPreconnect = (html: string, walletOrigin: string): string =>
  html.replace(preconnectPlaceholder, () =>
    escaped`<link rel="preconnect" href="${walletOrigin}">`.toString(),
  )
