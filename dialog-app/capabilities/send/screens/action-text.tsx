/** Describes a transaction's action in words, and lists further addresses that it concerns. */

import type { Action, Token } from '@latchkey/protocol/reading'
import { formatExact, isUnlimited, toMessageParts } from '@latchkey/protocol/reading'
import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/context.tsx'
import { texts as shellTexts } from '../../../i18n/shell-texts.arb'
import { Address } from '../../../ui/rows/address.tsx'
import { Fact } from '../../../ui/rows/facts.tsx'
import { ShownParts } from '../../../ui/rows/shown-parts.tsx'
import { texts } from '../texts.arb'
import styles from './action-text.module.css'

export function ActionText({ action, money }: { action: Action; money: string }) {
  const { actions } = useTexts(texts)
  switch (action.kind) {
    case 'native-transfer':
      return actions.native({ amount: money })
    case 'token-transfer':
    case 'token-transfer-from':
      return isUnlimited(action.amount) ? (
        <Words sentence={actions.sendEverything}>
          <Name token={action.token} />
        </Words>
      ) : (
        <Words sentence={actions.send}>
          <Amount token={action.token} amount={action.amount} />
        </Words>
      )
    case 'nft-transfer':
      return (
        <Words sentence={actions.send}>
          <Nft {...action} />
        </Words>
      )
    case 'approval':
      return action.amount === null ? (
        <Words sentence={actions.allowEverything}>
          <Name token={action.token} />
        </Words>
      ) : (
        <Words sentence={action.isMore ? actions.allowMore : actions.allow}>
          <Amount token={action.token} amount={action.amount} />
        </Words>
      )
    case 'approval-revoked':
      return (
        <Words sentence={actions.takeBack}>
          <Name token={action.token} />
        </Words>
      )
    case 'nft-approval':
      return (
        <Words sentence={actions.allow}>
          <Nft {...action} count={1n} />
        </Words>
      )
    case 'approval-for-all':
      return (
        <Words sentence={action.isGiven ? actions.allowAll : actions.forbidAll}>
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

/** Lists the addresses besides the transaction's recipient. For a token transfer, that recipient is the contract. */
export function OtherAddresses({ action }: { action: Action }) {
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

const Other = ({ term, address }: { term: string; address: string }) => (
  <Fact term={term}>
    <Copied text={address} isWhole />
  </Fact>
)

type WordsProps = { sentence: string; children: ReactNode }

/** Inserts the children, usually tokens, at the placeholder of the sentence. */
export function Words({ sentence, children }: WordsProps) {
  const [before, after] = sentence.split('{what}')
  return (
    <span className={styles.words}>
      {before}
      {children}
      {after}
    </span>
  )
}

/** Isolates a number, because right-to-left text would mirror its less-than sign. */
export const Figure = ({ children }: { children: string }) => <bdi dir="ltr">{children}</bdi>

export const Amount = ({ token, amount }: { token: Token; amount: bigint }) => (
  <>
    <Figure>{token.decimals === undefined ? String(amount) : formatExact(amount, token.decimals)}</Figure>{' '}
    <Name token={token} />
  </>
)

type NftProps = { token: Token; id: bigint; count: bigint }

export const Nft = ({ token, id, count }: NftProps) => (
  <>
    {count === 1n ? '' : `${count} × `}
    <Name token={token} /> <bdi dir="ltr">#{String(id)}</bdi>
  </>
)

/** Shows the token symbol. Contracts choose it freely, so only the contract address identifies the token. */
export function Name({ token }: { token: Token }) {
  const { actions } = useTexts(texts)
  return token.symbol === undefined ? actions.unnamed : <VisibleText text={token.symbol} />
}

export const VisibleText = ({ text }: { text: string }) => (
  <bdi>
    <ShownParts parts={toMessageParts(text)} />
  </bdi>
)

type CopiedProps = { text: string; isWhole?: boolean }

export function Copied({ text, isWhole }: CopiedProps) {
  const { address } = useTexts(shellTexts)
  return <Address address={text} copyLabel={address.copy} copiedLabel={address.copied} isWhole={isWhole} />
}
