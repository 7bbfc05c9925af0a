/** What is drawn, by the pixels of pictures: computed styles say what was asked for, not what can be read. */
import type { Page } from 'playwright'

/** By how much, of 255, two pictures of one area differ where they differ most. */
export function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const [before, after] = await Promise.all(
        pictures.map(async (picture) => {
          const bytes = Uint8Array.from(atob(picture), (byte) => byte.charCodeAt(0))
          const bitmap = await createImageBitmap(new Blob([bytes]))
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          canvas?.drawImage(bitmap, 0, 0)
          return canvas?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? []
        }),
      )
      let most = 0
      before?.forEach((value, at) => {
        most = Math.max(most, Math.abs(value - (after?.[at] ?? 0)))
      })
      return most
    },
    [one.toString('base64'), other.toString('base64')],
  )
}

/** How well text reads on its ground: by WCAG, between the colour that covers most and the one furthest from it. */
export function contrastOf(page: Page, picture: Buffer): Promise<number> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    canvas?.drawImage(bitmap, 0, 0)
    const data = canvas?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? []
    const counts = new Map<string, number>()
    for (let at = 0; at < data.length; at += 4) {
      const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = colour.split(' ').map((value) => linear(Number(value) / 255))
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const [ground = ''] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? []
    const under = luminance(ground)
    const ratios = [...counts.keys()].map((colour) => {
      const over = luminance(colour)
      return (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05)
    })
    return Math.max(...ratios)
  }, picture.toString('base64'))
}
