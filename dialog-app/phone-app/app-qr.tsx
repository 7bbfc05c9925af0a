import { useAtomValue } from 'jotai/react'
import { brandingAtom } from '../shell/atoms.ts'
import { Logo } from '../ui/logo.tsx'
import { Qr } from '../ui/qr/qr.tsx'

type AppQrProps = { value: string; label: string; sizePx?: number }

/** A QR code with the app's logo or first letter in the middle. */
export function AppQr(code: AppQrProps) {
  const { name, logoUrl } = useAtomValue(brandingAtom)
  return (
    <Qr {...code}>
      <Logo name={name} url={logoUrl} size="code" />
    </Qr>
  )
}
