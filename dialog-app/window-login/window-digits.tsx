import { useTexts } from '../i18n/context.tsx'
import { Digits } from '../ui/fields/digits.tsx'
import { texts } from './texts.arb'

/** The digits that a window asks for that has no opener to ask the card itself. */
export function WindowDigits({ children }: { readonly children: string }) {
  const { digits } = useTexts(texts)
  return <Digits label={digits}>{children}</Digits>
}
