import { useAtomValue } from 'jotai/react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { brandingAtom } from '../../shell/atoms.ts'
import { Brand } from '../../shell/elements/brand.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { texts } from './texts.arb'

export type AuthorizeState =
  | { status: 'going' }
  /** `isLate`: too long after the login. */
  | { status: 'failed'; isLate: boolean }
  /** No page of a wallet has opened this one. */
  | { status: 'alone' }
export type AuthorizeEvents = { again: readonly [] }

export function AuthorizeScreen({ state, send }: PartProps<AuthorizeState, AuthorizeEvents>) {
  const { going, failed, alone } = useTexts(texts)
  const { name } = useAtomValue(brandingAtom)
  switch (state.status) {
    case 'going':
      return (
        <Waiting title={going.title} detail={going.detail}>
          <WalletFace />
        </Waiting>
      )
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={state.isLate ? failed.late : failed.detail}
          button={failed.again}
          onPress={() => send('again')}
        />
      )
    case 'alone':
      return <Brand title={alone.title} lead={alone.detail({ app: name })} />
    default:
      return state satisfies never
  }
}
