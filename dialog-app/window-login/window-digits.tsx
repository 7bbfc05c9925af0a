import { useTexts } from '../i18n/context.tsx'
import { Digits } from '../ui/fields/digits.tsx'
import { texts } from './texts.arb'

/** For a window that cannot ask the card itself. */
export function WindowDigits({ children }: { readonly children: string }) {
  const { digits } = useTexts(texts)
  return <Digits label={digits}>{children}</Digits>
}
