/** What a transaction does, in words, and the others that it concerns, each on a line that can be copied. */

import type { Action, Token } from '@latchkey/protocol/reading'
import { formatWhole, isEverything, shownMessage } from '@latchkey/protocol/reading'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Address } from '../../ui/rows/address.tsx'
import { Fact } from '../../ui/rows/facts.tsx'
import { ShownParts } from '../../ui/rows/shown-parts.tsx'
import styles from './said.module.css'
import { texts } from './texts.arb'

export function Said({ action, money }: { readonly action: Action; readonly money: string }) {
  const { actions } = useTexts(texts)
  switch (action.kind) {
    case 'native-transfer':
      return actions.native({ amount: money })
    case 'token-transfer':
    case 'token-transfer-from':
      return isEverything(action.amount) ? (
        <Words said={actions.sendEverything}>
          <Name token={action.token} />
        </Words>
      ) : (
        <Words said={actions.send}>
          <Amount token={action.token} amount={action.amount} />
        </Words>
      )
    case 'thing-transfer':
      return (
        <Words said={actions.send}>
          <Thing {...action} />
        </Words>
      )
    case 'approval':
      return action.amount === null ? (
        <Words said={actions.allowEverything}>
          <Name token={action.token} />
        </Words>
      ) : (
        <Words said={action.isMore ? actions.allowMore : actions.allow}>
          <Amount token={action.token} amount={action.amount} />
        </Words>
      )
    case 'approval-taken-back':
      return (
        <Words said={actions.takeBack}>
          <Name token={action.token} />
        </Words>
      )
    case 'thing-approval':
      return (
        <Words said={actions.allow}>
          <Thing {...action} count={1n} />
        </Words>
      )
    case 'approval-for-all':
      return (
        <Words said={action.isGiven ? actions.allowAll : actions.forbidAll}>
          <Name token={action.token} />
        </Words>
      )
    case 'contract-creation':
      return actions.create
    case 'unknown':
      return actions.unknown
    default:
      return action satisfies never
  }
}

/** Beside whom the transaction is addressed to, which is a contract where it moves what is counted in one. */
export function Others({ action }: { readonly action: Action }) {
  const { others } = useTexts(texts)
  return (
    <>
      {'from' in action && <Other term={others.owner} address={action.from} />}
      {'owner' in action && <Other term={others.owner} address={action.owner} />}
      {'to' in action && <Other term={others.recipient} address={action.to} />}
      {'spender' in action && <Other term={others.spender} address={action.spender} />}
    </>
  )
}

const Other = ({ term, address }: { readonly term: string; readonly address: string }) => (
  <Fact term={term}>
    <Copied text={address} isWhole />
  </Fact>
)

type WordsProps = { readonly said: string; readonly children: ReactNode }

/** `{what}` is what it is done with. */
function Words({ said, children }: WordsProps) {
  const [before, after] = said.split('{what}')
  return (
    <span className={styles.words}>
      {before}
      {children}
      {after}
    </span>
  )
}

/** A sign of less than would be turned around in the middle of what is read from the right. */
export const Figure = ({ children }: { readonly children: string }) => <bdi dir="ltr">{children}</bdi>

const Amount = ({ token, amount }: { readonly token: Token; readonly amount: bigint }) => (
  <>
    <Figure>{token.decimals === undefined ? String(amount) : formatWhole(amount, token.decimals)}</Figure>{' '}
    <Name token={token} />
  </>
)

type ThingProps = { readonly token: Token; readonly id: bigint; readonly count: bigint }

const Thing = ({ token, id, count }: ThingProps) => (
  <>
    {count === 1n ? '' : `${count} × `}
    <Name token={token} /> <bdi dir="ltr">#{String(id)}</bdi>
  </>
)

/** A contract says what it likes to be called: whom the transaction is addressed to says which it is. */
function Name({ token }: { readonly token: Token }) {
  const { actions } = useTexts(texts)
  return token.symbol === undefined ? actions.unnamed : <Shown text={token.symbol} />
}

export const Shown = ({ text }: { readonly text: string }) => (
  <bdi>
    <ShownParts parts={shownMessage(text)} />
  </bdi>
)

type CopiedProps = { readonly text: string; readonly isWhole?: boolean }

export function Copied({ text, isWhole }: CopiedProps) {
  const { address } = useTexts(shellTexts)
  return <Address address={text} copyLabel={address.copy} copiedLabel={address.copied} isWhole={isWhole} />
}
