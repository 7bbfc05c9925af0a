/** Writes the config of a page into the place that its build left for it. */
import { product } from '@latchkey/protocol'

const place = new RegExp(`(<script[^>]*\\bid="${product.inlineConfigElementId}"[^>]*>)[^<]*(</script>)`)

export const hasPlaceForConfig = (html: string) => place.test(html)

/** A name of an app may say `</script>`; as JSON it may say it in other letters. */
export const withConfig = (html: string, config: unknown): string => {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c')
  return html.replace(place, (_, open: string, close: string) => `${open}${json}${close}`)
}
