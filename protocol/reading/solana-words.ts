/** Describes a Solana transaction in words, for the card and the wallet pages. */
import { formatExact } from './amounts.ts'
import type { SolanaAction, SolanaMeaning } from './solana-actions.ts'
import type { Texts } from './texts.arb'
import type { AssetNames, Sentence } from './typed-data-words.ts'

export type SolanaDescription = {
  title: string
  sentences: Sentence[]
  /** Notes of the requester, to display as untrusted text. */
  memos: string[]
}

const SOL_DECIMALS = 9

/** `wallet` is the address that signs. */
export function describeSolanaTransaction(
  meaning: SolanaMeaning,
  wallet: string,
  names: AssetNames,
  texts: Texts,
): SolanaDescription {
  const { actions, payer, mostFee, tables, otherSigners } = meaning
  const words = texts.solana
  const sol = (lamports: bigint) => `${formatExact(lamports, SOL_DECIMALS)} SOL`
  /** The owners of token accounts that the same transaction creates. Its network verifies them. */
  const owners = new Map(
    actions.flatMap((action) => (action.kind === 'token-account' ? [[action.account, action.owner]] : [])),
  )

  function nameToken(mint: string): string {
    const symbol = names.tokens.find(({ address }) => address === mint)?.symbol
    return texts.token({ address: symbol ? `${symbol} (${mint})` : mint })
  }
  function nameTokenAccount(account: string): string {
    const owner = owners.get(account)
    return owner === undefined ? words.account({ account }) : words.accountOf({ account, owner })
  }
  const send = (what: string, from: string, to: string) =>
    from === wallet ? words.send({ what, to }) : words.sendFrom({ what, from, to })

  function toSentence(action: SolanaAction): Sentence | undefined {
    const plain = (text: string): Sentence => ({ text, isPlain: true })
    const warning = (text: string): Sentence => ({ text, isPlain: false })
    switch (action.kind) {
      case 'transfer':
        return plain(send(sol(action.lamports), action.from, action.to))
      case 'token-transfer': {
        const { token, amount, owner, to } = action
        const what = token
          ? words.tokens({ amount: formatExact(amount, token.decimals), token: nameToken(token.mint) })
          : texts.smallest({ amount: String(amount), token: texts.unnamedToken })
        return plain(send(what, owner, nameTokenAccount(to)))
      }
      case 'token-account': {
        const text = words.create({ owner: action.owner, token: nameToken(action.mint) })
        const isPaid = action.payer === wallet
        return plain(isPaid ? words.deposit({ said: text, amount: sol(action.deposit) }) : text)
      }
      case 'approval':
        return warning(
          words.approve({
            account: action.account,
            delegate: action.delegate,
            what: texts.smallest({ amount: String(action.amount), token: texts.unnamedToken }),
          }),
        )
      case 'approval-revoked':
        return plain(words.revoke({ account: action.account }))
      case 'authority':
        return warning(words.authority({ account: action.account }))
      case 'token-account-closed': {
        const text = words.close({ account: action.account, to: action.to })
        return action.to === wallet ? plain(text) : warning(text)
      }
      case 'durable-nonce':
        return warning(words.forever)
      case 'unknown':
        return warning(words.unknown({ program: action.program }))
      case 'memo':
        return undefined
      default:
        return action satisfies never
    }
  }

  const warnings = [
    ...tables.map(({ address: table, cluster, accounts }) =>
      cluster === undefined
        ? words.table({ table })
        : words.tableRead({ table, cluster, accounts: accounts.join(', ') }),
    ),
    ...otherSigners.map((signer) => words.signer({ signer })),
  ]
  const fee = sol(mostFee)
  return {
    title: words.title,
    sentences: [
      ...actions.flatMap((action) => toSentence(action) ?? []),
      ...warnings.map((text) => ({ text, isPlain: false })),
      { text: payer === wallet ? words.fee({ fee }) : words.sponsored({ payer }), isPlain: true },
    ],
    memos: actions.flatMap((action) => (action.kind === 'memo' ? action.text : [])),
  }
}
