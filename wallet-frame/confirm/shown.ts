/** Renders the request to confirm: its title, warnings and facts. */
import {
  type Action,
  type AssetNames,
  describeFindings,
  describeSolanaTransaction,
  findPersonalSignInDomains,
  findSignInDomains,
  formatExact,
  formatUsd,
  isUnlimited,
  type Token,
  type TreeNode,
  toMessageParts,
} from '@latchkey/protocol/reading'
import { make, mono as monoElement } from '../pages/elements.ts'
import type { Reviewed } from './page-flow.ts'
import type { Call, Content } from './subject.ts'
import type { ConfirmTexts } from './texts.ts'

export type RenderedRequest = {
  title: string
  detail: string | undefined
  /** The label of the button. */
  go: string
  parts: readonly HTMLElement[]
}

type Transaction = Extract<Content, { type: 'transaction' }>
type Operation = Extract<Content, { type: 'operation' }>

export function renderRequest(
  { record, content }: Reviewed,
  texts: ConfirmTexts,
  /** The sender of a signed transaction: the app that receives it, or the wallet's server. */
  sentBy: 'app' | 'wallet' = 'app',
): RenderedRequest {
  const wallet = record.address === null ? [] : [fact(texts.wallet, mono(record.address))]
  switch (content.type) {
    case 'message': {
      const { title, detail, go } = texts.message
      return {
        title,
        detail,
        go,
        parts: [
          ...loginWarnings(findSignInDomains(content.message), texts),
          ...renderMessage(content.message, texts),
          facts(wallet),
        ],
      }
    }
    case 'bytes': {
      const { title, detail, go, name, noText } = texts.message
      const logins = loginWarnings(findPersonalSignInDomains(content.hex), texts)
      return {
        title,
        detail,
        go,
        parts: [...logins, warning(noText), box(name, [mono(content.hex)]), facts(wallet)],
      }
    }
    case 'typed-data': {
      const { title, detail, go, name, invisible } = texts.message
      const hasInvisible = content.tree.some(nodeHasInvisible)
      const meaning = describeFindings(content.findings, toNames(record), texts.typedData, texts.language)
      const parts = [
        ...meaning.sentences.map(({ text, isPlain }) => (isPlain ? sentence(text) : warning(text))),
        box(name, [renderTree(content.tree, texts)]),
        ...renderDescription(record, texts),
        ...(hasInvisible ? [note(invisible)] : []),
        facts(wallet),
      ]
      return { title: meaning.title ?? title, detail, go, parts }
    }
    case 'transaction':
      return renderTransaction(content, record, texts, sentBy)
    case 'solana-transaction':
      return renderSolanaTransaction(content, record, texts, sentBy)
    case 'operation':
      return renderOperation(content, record, texts)
    case 'delegation':
      return renderDelegation(content, record, texts)
    case 'action': {
      const { title, detail, go, warning: warningText } = texts.actions[content.action]
      const account = record.account === null ? [] : [fact(texts.account, plain(record.account))]
      return { title, detail, go, parts: [warning(warningText), facts([...account, ...wallet])] }
    }
    default:
      return content satisfies never
  }
}

function renderSolanaTransaction(
  { meaning, wallet }: Extract<Content, { type: 'solana-transaction' }>,
  record: Reviewed['record'],
  texts: ConfirmTexts,
  sentBy: 'app' | 'wallet',
): RenderedRequest {
  const { transaction: words, message } = texts
  const described = describeSolanaTransaction(meaning, wallet, toNames(record), texts.typedData)
  return {
    title: described.title,
    detail: undefined,
    go: message.go,
    parts: [
      ...described.sentences.map(({ text, isPlain }) => (isPlain ? sentence(text) : warning(text))),
      ...described.memos.flatMap((memo) => renderMessage(memo, texts)),
      ...(sentBy === 'app' ? [note(words.handedOver)] : []),
      facts([
        fact(texts.wallet, mono(wallet)),
        fact(words.network, plain('Solana')),
        ...(record.usd === null ? [] : [fact(words.worth, figure(formatUsd(Number(record.usd))))]),
      ]),
      ...renderSimulation(record, texts),
    ],
  }
}

const MAX_WARNED_SITES = 3
const MAX_SITE_LENGTH = 100

/** Warns of the sites for which a message is a sign-in. Replaces characters that no hostname contains. */
const loginWarnings = (domains: readonly string[], texts: ConfirmTexts) =>
  domains.slice(0, MAX_WARNED_SITES).map((domain) => {
    const host = domain.slice(0, MAX_SITE_LENGTH).replace(/[^\x21-\x7e]/gu, '\uFFFD')
    return warning(texts.relayed.logsIn({ host }))
  })

function renderTransaction(
  shown: Transaction,
  record: Reviewed['record'],
  texts: ConfirmTexts,
  sentBy: 'app' | 'wallet',
): RenderedRequest {
  const { transaction: words } = texts
  const { address, usd, l1Fee } = record
  const { action, chain, value, mostFee, isUnlisted } = shown
  const isPlain = action.kind === 'native-transfer'
  const money = createMoney(shown, texts)
  return {
    title: isPlain ? words.send({ symbol: chain?.symbol ?? words.coin }) : words.title,
    detail: undefined,
    go: words.go,
    parts: [
      ...renderAmount(shown, money(value), texts),
      ...getWarnings(action, texts).map(warning),
      ...(isUnlisted ? [note(words.unlisted)] : []),
      ...(sentBy === 'app' ? [note(words.handedOver)] : []),
      ...(l1Fee === 'unknown' ? [note(words.moreFees)] : []),
      facts([
        ...(address === null ? [] : [fact(words.from, mono(address))]),
        ...describeCall(shown, texts),
        networkFact(shown, texts),
        ...(isPlain || value === 0n ? [] : [fact(words.value, money(value))]),
        fact(words.fees, money(mostFee + (l1Fee === null || l1Fee === 'unknown' ? 0n : BigInt(l1Fee)))),
        ...(usd === null ? [] : [fact(words.worth, figure(formatUsd(Number(usd))))]),
      ]),
      ...('data' in action ? [box(words.data, [mono(action.data)])] : []),
      ...renderDescription(record, texts),
      ...renderSimulation(record, texts),
    ],
  }
}

/** Renders the words of a descriptor in a box of their own, so that no label can pass for one of ours. */
function renderDescription(
  { description }: Reviewed['record'],
  { described, transaction }: ConfirmTexts,
): HTMLElement[] {
  if (!description) return []
  const { owner, intent, lines, rest } = description
  const by = make('p', { className: 'note' }, fillText(described.by, renderText(owner)))
  const lineFacts = lines.map(({ label, value, isSmallestUnit }) =>
    describedFact(
      label,
      isSmallestUnit ? [renderText(value), ` ${transaction.smallest}`] : [renderText(value)],
    ),
  )
  const restFacts = rest.map(({ path, value }) => describedFact(path, [renderText(value)]))
  return [
    by,
    box(described.name, [
      make('p', {}, renderText(intent)),
      facts(lineFacts),
      ...(rest.length === 0 ? [] : [note(described.rest), facts(restFacts)]),
    ]),
  ]
}

const describedFact = (label: string, value: Piece[]): Fact => [
  make('dt', {}, renderText(label)),
  make('dd', {}, span(value)),
]

/** Renders the balance changes that a node simulated. */
function renderSimulation(
  { simulation }: Reviewed['record'],
  { simulation: words, transaction }: ConfirmTexts,
): HTMLElement[] {
  if (!simulation) return []
  const { reverts, changes } = simulation
  if (reverts) return [box(words.name, [sentence(words.reverts), note(words.later)])]
  const items = changes.map(({ token, symbol, amount, isSmallestUnit, id }) => {
    const unit = isSmallestUnit ? transaction.smallest : (symbol ?? transaction.actions.unnamed)
    const asset = token === null ? [] : [' ', mono(token)]
    const item = id === null ? [] : [' ', figure(`#${id}`)]
    return make('li', {}, span([figure(amount), ' ', renderText(unit), ...item, ...asset]))
  })
  const outcome =
    items.length === 0 ? [sentence(words.unchanged)] : [sentence(words.changes), make('ul', {}, ...items)]
  return [box(words.name, [...outcome, note(words.later)])]
}

function renderOperation(
  { calls, authorizes }: Operation,
  { address, usd }: Reviewed['record'],
  texts: ConfirmTexts,
): RenderedRequest {
  const { transaction: words, operation } = texts
  return {
    title: operation.title,
    detail: operation.detail,
    go: words.go,
    parts: [
      ...(authorizes ? [sentence(operation.authorizes)] : []),
      ...calls.map((call, at) => renderCall(call, operation.call({ number: at + 1 }), texts)),
      facts([
        ...(address === null ? [] : [fact(words.from, mono(address))]),
        ...calls.slice(0, 1).map((call) => networkFact(call, texts)),
        ...(usd === null ? [] : [fact(words.worth, figure(formatUsd(Number(usd))))]),
      ]),
    ],
  }
}

function renderDelegation(
  shown: Extract<Content, { type: 'delegation' }>,
  { address, usd }: Reviewed['record'],
  texts: ConfirmTexts,
): RenderedRequest {
  const { transaction: words, delegation } = texts
  const { contract, mostFee } = shown
  const { title, detail, go } = contract === null ? delegation.remove : delegation.replace
  return {
    title,
    detail,
    go,
    parts: [
      facts([
        ...(address === null ? [] : [fact(words.from, mono(address))]),
        networkFact(shown, texts),
        ...(contract === null ? [] : [fact(delegation.contract, mono(contract))]),
        ...(mostFee === 0n ? [] : [fact(words.fees, createMoney(shown, texts)(mostFee))]),
        ...(usd === null ? [] : [fact(words.worth, figure(formatUsd(Number(usd))))]),
      ]),
    ],
  }
}

function renderCall(call: Call, name: string, texts: ConfirmTexts): HTMLElement {
  const { transaction: words } = texts
  const { action, value, isUnlisted } = call
  const isPlain = action.kind === 'native-transfer'
  return box(name, [
    sentence(name),
    ...getWarnings(action, texts).map(warning),
    ...(isUnlisted ? [note(words.unlisted)] : []),
    facts([
      ...describeCall(call, texts),
      ...(isPlain || value === 0n ? [] : [fact(words.value, createMoney(call, texts)(value))]),
      ...('data' in action ? [fact(words.data, mono(action.data))] : []),
    ]),
  ])
}

/** Formats amounts of the chain's coin. */
const createMoney =
  ({ chain }: Pick<Call, 'chain'>, { transaction: { smallest } }: ConfirmTexts) =>
  (amount: bigint) =>
    chain
      ? figure(`${formatExact(amount, chain.decimals)} ${chain.symbol}`)
      : span([figure(String(amount)), ` ${smallest}`])

function describeCall(call: Call, texts: ConfirmTexts): Fact[] {
  const { transaction: words } = texts
  const { action, to, value } = call
  const otherAddresses = (['owner', 'from', 'to', 'spender'] as const).flatMap((who) => {
    const otherAddress: unknown = Reflect.get(action, who)
    return typeof otherAddress === 'string' ? [fact(words.others[termByRole[who]], mono(otherAddress))] : []
  })
  return [
    fact(words.to, to === null ? plain(words.nobody) : mono(to)),
    fact(words.action, renderAction(call, createMoney(call, texts)(value), texts)),
    ...otherAddresses,
  ]
}

const networkFact = (
  { chain, chainId }: Pick<Call, 'chain' | 'chainId'>,
  { transaction: words }: ConfirmTexts,
): Fact => fact(words.network, plain(chain?.name ?? words.unknownNetwork({ id: String(chainId) })))

const termByRole = { owner: 'owner', from: 'owner', to: 'recipient', spender: 'spender' } as const

function getWarnings(action: Action, { transaction: { warnings } }: ConfirmTexts): readonly string[] {
  switch (action.kind) {
    case 'approval':
      return action.amount === null ? [warnings.unlimited] : []
    case 'nft-approval':
      return action.isUnlimited ? [warnings.unlimited] : []
    case 'approval-for-all':
      return action.isGiven ? [warnings.everything] : []
    case 'unknown':
      return [warnings.unknown]
    case 'contract-creation':
      return [warnings.creation]
    case 'native-transfer':
    case 'token-transfer':
    case 'token-transfer-from':
    case 'nft-transfer':
    case 'approval-revoked':
      return []
    default:
      return action satisfies never
  }
}

const createAmountTexts = (unnamed: string) => {
  const name = (token: Token) => (token.symbol === undefined ? unnamed : renderText(token.symbol))
  return {
    name,
    amountOf: (token: Token, amount: bigint) =>
      span([figure(formatExact(amount, token.decimals ?? 0)), ' ', name(token)]),
    nft: (token: Token, id: bigint, count: bigint) =>
      span([count === 1n ? '' : `${count} × `, name(token), ' ', figure(`#${id}`)]),
  }
}

/** Returns the amount in large type, if there is one. An unlimited amount has a warning instead. */
function renderAmount(
  { action, value, isUnlisted }: Transaction,
  money: HTMLElement,
  { transaction: { actions } }: ConfirmTexts,
): readonly HTMLElement[] {
  const { amountOf, nft } = createAmountTexts(actions.unnamed)
  const lead = (amount: HTMLElement) => [make('p', { className: 'amount' }, amount)]
  switch (action.kind) {
    case 'native-transfer':
      return lead(money)
    case 'token-transfer':
    case 'token-transfer-from':
    case 'approval': {
      const { token, amount } = action
      const isLimited = amount !== null && (isUnlisted || !isUnlimited(amount))
      return isLimited ? lead(amountOf(token, amount)) : []
    }
    case 'nft-transfer':
      return lead(nft(action.token, action.id, action.count))
    default:
      return value > 0n ? lead(money) : []
  }
}

function renderAction(
  { action, isUnlisted }: Call,
  money: HTMLElement,
  { transaction }: ConfirmTexts,
): HTMLElement {
  const { actions } = transaction
  const { name, amountOf, nft } = createAmountTexts(actions.unnamed)
  switch (action.kind) {
    case 'native-transfer':
      return fillText(actions.native, money)
    case 'token-transfer':
    case 'token-transfer-from':
      // An NFT ID of an unlisted token may be as large.
      return isUnlimited(action.amount) && !isUnlisted
        ? fillText(actions.sendEverything, name(action.token))
        : fillText(actions.send, amountOf(action.token, action.amount))
    case 'nft-transfer':
      return fillText(actions.send, nft(action.token, action.id, action.count))
    case 'approval':
      return action.amount === null
        ? fillText(actions.allowEverything, name(action.token))
        : fillText(action.isMore ? actions.allowMore : actions.allow, amountOf(action.token, action.amount))
    case 'approval-revoked':
      return fillText(actions.takeBack, name(action.token))
    case 'nft-approval':
      return fillText(actions.allow, nft(action.token, action.id, 1n))
    case 'approval-for-all':
      return fillText(action.isGiven ? actions.allowAll : actions.forbidAll, name(action.token))
    case 'contract-creation':
      return plain(actions.create)
    case 'unknown':
      return plain(actions.unknown)
    default:
      return action satisfies never
  }
}

const toNames = ({ chain, tokens }: Reviewed['record']): AssetNames => ({ coin: chain, tokens })

function renderMessage(
  message: string,
  { message: { name, invisible } }: ConfirmTexts,
): readonly HTMLElement[] {
  const whole = box(name, [renderText(message)])
  whole.dir = 'auto'
  return hides(message) ? [whole, note(invisible)] : [whole]
}

const renderTree = (nodes: readonly TreeNode[], texts: ConfirmTexts): HTMLElement =>
  make(
    'ul',
    { className: 'branch', dir: 'ltr' },
    ...nodes.map(({ name, type, value }) => {
      const label = make('span', { className: 'name', textContent: name, title: type })
      const empty = () => make('i', { textContent: texts.empty })
      if (typeof value !== 'string') {
        return make('li', {}, label, value.length === 0 ? empty() : renderTree(value, texts))
      }
      const content = value === '' ? empty() : renderText(value)
      if (type !== 'string') content.classList.add('mono')
      return make('li', {}, label, content)
    }),
  )

const hides = (text: string) => toMessageParts(text).some(({ kind }) => kind === 'invisible')
const nodeHasInvisible = ({ value }: TreeNode): boolean =>
  typeof value === 'string' ? hides(value) : value.some(nodeHasInvisible)

/** Renders untrusted text. Names its invisible characters and isolates its direction. */
function renderText(text: string): HTMLElement {
  const whole = make('bdi', {})
  whole.append(
    ...toMessageParts(text).map((part) =>
      part.kind === 'text'
        ? part.text
        : make('bdi', { className: 'chip', textContent: part.name, dir: 'ltr' }),
    ),
  )
  return whole
}

type Piece = string | HTMLElement
function span(pieces: readonly Piece[]): HTMLElement {
  const whole = make('span', {})
  whole.append(...pieces)
  return whole
}

/** Marks the place of the element in a text. A private-use character, so no text contains it. */
const placeholder = '\uE000'

function fillText(text: (values: { what: string }) => string, what: Piece): HTMLElement {
  const [before = '', after = ''] = text({ what: placeholder }).split(placeholder)
  return span([before, what, after])
}

const plain = (textContent: string) => make('bdi', { textContent })
/** Isolated, because right-to-left text would move a minus or less-than sign. */
const figure = (textContent: string) => make('bdi', { textContent, dir: 'ltr' })
const mono = (textContent: string) => monoElement('bdi', textContent)
const warning = (textContent: string) => make('p', { textContent, className: 'warning' })
const sentence = (textContent: string) => make('p', { textContent })
const note = (textContent: string) => make('p', { textContent, className: 'note' })

function box(name: string, inside: readonly HTMLElement[]): HTMLElement {
  const whole = make('div', { className: 'box', role: 'group', ariaLabel: name })
  whole.append(...inside)
  return whole
}

type Fact = readonly [term: HTMLElement, value: HTMLElement]
const fact = (term: string, value: HTMLElement): Fact => [
  make('dt', { textContent: term }),
  make('dd', {}, value),
]
const facts = (all: readonly Fact[]) =>
  make('dl', {}, ...all.map(([term, value]) => make('div', {}, term, value)))
