/** The top of a review: the amount, large, and the shortfall if the wallet cannot pay it. */

import { type Action, isUnlimited } from '@latchkey/protocol/reading'
import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { useCopied } from '../../../ui/rows/copied.ts'
import { Fact, Facts } from '../../../ui/rows/facts.tsx'
import { Note } from '../../../ui/stack.tsx'
import { texts } from '../texts.arb'
import { Amount, Figure, Name, Nft, Words } from './action-text.tsx'
import styles from './lead-amount.module.css'

type LeadAmountProps = {
  action: Action
  /** The amount in the chain's own currency, with every digit, or undefined if none is sent. */
  money: string | undefined
  /** The maximum worth in dollars, or undefined if it is not shown. */
  dollars: string | undefined
  isDollarsFirst: boolean
}

export function LeadAmount({ action, money, dollars, isDollarsFirst }: LeadAmountProps) {
  const { lead } = useTexts(texts)
  const amount = toLeadAmount(action, money, lead.everything, lead.unlimited)
  if (amount === undefined) return null
  const isFirst = isDollarsFirst && dollars !== undefined
  return (
    <div className={styles.lead} data-part="amount">
      <p className={styles.amount}>{isFirst ? <Figure>{dollars}</Figure> : amount}</p>
      {isFirst && <p className={styles.beside}>{amount}</p>}
      {!isFirst && dollars !== undefined && (
        <p className={styles.beside}>{lead.atMost({ amount: dollars })}</p>
      )}
    </div>
  )
}

/** Returns the amount, or undefined if nothing is moved or the amount is unknown. */
function toLeadAmount(
  action: Action,
  money: string | undefined,
  everything: string,
  unlimited: string,
): ReactNode {
  const coins = money === undefined ? undefined : <Figure>{money}</Figure>
  switch (action.kind) {
    case 'native-transfer':
    case 'contract-creation':
    case 'unknown':
      return coins
    case 'token-transfer':
    case 'token-transfer-from':
    case 'approval':
      if (action.amount !== null && !(action.kind !== 'approval' && isUnlimited(action.amount))) {
        return <Amount token={action.token} amount={action.amount} />
      }
      return (
        <Words sentence={action.kind === 'approval' ? unlimited : everything}>
          <Name token={action.token} />
        </Words>
      )
    case 'nft-transfer':
      return <Nft {...action} />
    case 'nft-approval':
      return <Nft {...action} count={1n} />
    case 'approval-for-all':
      return action.isGiven ? (
        <Words sentence={everything}>
          <Name token={action.token} />
        </Words>
      ) : undefined
    case 'approval-revoked':
      return undefined
    default:
      return action satisfies never
  }
}

type ShortfallProps = {
  /** In the chain's own currency, like the amounts below. */
  balance: string
  needed: string
  missing: string
  network: string
  address: string
  /** The dialog offers to add funds. */
  isFundable: boolean
}

/** Shows the balance, the required and the missing amount, and a button that copies the address. */
export function Shortfall({ balance, needed, missing, network, address, isFundable }: ShortfallProps) {
  const { funds } = useTexts(texts)
  const { copied, copy } = useCopied(address)
  return (
    <>
      <Banner kind="danger">{isFundable ? funds.add({ network }) : funds.insufficient}</Banner>
      <Facts>
        <Fact term={funds.balance}>
          <Figure>{balance}</Figure>
        </Fact>
        <Fact term={funds.needed}>
          <Figure>{needed}</Figure>
        </Fact>
        <Fact term={funds.missing}>
          <Figure>{missing}</Figure>
        </Fact>
      </Facts>
      <Note>{funds.suffices({ amount: missing, network })}</Note>
      <Button kind={isFundable ? 'quiet' : 'primary'} onPress={copy}>
        {copied ? funds.copied : funds.copy}
      </Button>
    </>
  )
}
