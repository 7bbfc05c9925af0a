import { themeTokens } from '../../theme/theme.ts'

/** The address of a page of the wallet's origin that stands at this place of the card, and looks as the card does. */
export function addressWithLook(
  page: string,
  parameters: Readonly<Record<string, string>>,
  place: HTMLElement,
): string {
  const url = new URL(page)
  const looks = getComputedStyle(place)
  const given = [
    ...Object.entries(parameters),
    ['scheme', looks.colorScheme],
    ['lang', place.closest<HTMLElement>('[lang]')?.lang ?? ''],
    ...themeTokens.map((token) => [token, looks.getPropertyValue(`--lk-${token}`)] as const),
  ] as const
  for (const [name, value] of given) if (value !== '') url.searchParams.set(name, value)
  return url.href
}
