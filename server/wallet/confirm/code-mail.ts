/** What comes with a code that approves a request: what it does, in the words of the page, and where it may be typed. */
import { channelLimits } from '@latchkey/protocol'
import {
  findingsIn,
  formatWhole,
  isEverything,
  meaningOf,
  type TypedDataWords,
  tokenAction,
  tokensIn,
  typedDataArabic,
  typedDataEnglish,
} from '@latchkey/protocol/reading'
import { type ConfirmableRequest, confirmableRequestSchema, parseTypedData } from '@latchkey/protocol/wallet'
import { html } from 'hono/html'
import * as v from 'valibot'
import { imagesOf, logoOf, type Mail, mailPage, oneLine } from '../../integrations/mail/mail.ts'
import { prices } from '../../integrations/prices/prices.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import type { App } from '../../kernel/ports.ts'
import { texts } from './code-texts.ts'
import { chainNamed, tokensNamed } from './names.ts'
import { requesterOf } from './relayed.ts'
import type { ConfirmationRow } from './tables.ts'

type CodeSaid = {
  readonly code: string
  readonly language: Language
  readonly app: App
  readonly row: ConfirmationRow
  /** The mail says that only a page of this host may take the code. */
  readonly hostname: string
  readonly ports: ServerContext['ports']
}

/** The last line binds the code to the host: https://wicg.github.io/sms-one-time-codes/ */
async function linesOf({ code, language, app, row, hostname, ports }: CodeSaid) {
  const name = oneLine(app.name)
  const says = texts[language]
  return {
    before:
      row.requester === null
        ? says.before(name)
        : says.beforeRelayed(new URL(requesterOf(row.requester).url).host, name),
    what: await saidOf(row, app, language, ports),
    where: says.where(hostname),
    validity: says.validity,
    ifNotYou: says.ifNotYou(name),
    boundCode: `@${hostname.split(':')[0]} #${code}`,
  }
}

/** The same words as in the mail; the code stands before what may be long. */
export async function codeText(said: CodeSaid): Promise<string> {
  const { before, what, where, validity, ifNotYou, boundCode } = await linesOf(said)
  return [said.code, before, what, `${where} ${validity}`, ifNotYou, '', boundCode].join('\n')
}

export async function codeMail({ to, ...said }: CodeSaid & { readonly to: string }): Promise<Mail> {
  const { code, language, app } = said
  const name = oneLine(app.name)
  const says = texts[language]
  const { before, what, where, validity, ifNotYou, boundCode } = await linesOf(said)
  const subject = says.subject(code, name)
  const logo = logoOf(app.config.logoUrl)
  return {
    to,
    subject,
    text: [before, what, code, where, validity, ifNotYou, boundCode].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: says.heading(html`<bdi>${name}</bdi>`),
      body: html`<p class="text" style="margin:0 0 16px;font-size:15px;line-height:22px;color:#17171a;overflow-wrap:anywhere">${what}</p>
<p class="code" style="margin:0 0 24px;padding:20px 8px;border-radius:12px;background:#f0f0f3;color:#17171a;text-align:center;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:36px;line-height:44px;font-weight:600;letter-spacing:8px">${code}</p>
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${where} ${validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b"><bdi dir="ltr">${boundCode}</bdi></p>`,
    }),
    images: imagesOf(logo),
  }
}

/** Of what is not known to the letter, less is said: the page shows all of it. */
async function saidOf(
  row: ConfirmationRow,
  app: App,
  language: Language,
  ports: ServerContext['ports'],
): Promise<string> {
  const { what } = texts[language]
  const { getAddress } = await import('viem/utils')
  const request: ConfirmableRequest = v.parse(confirmableRequestSchema, JSON.parse(row.request))
  switch (request.method) {
    case 'personal_sign':
    case 'signMessage':
      return what.message
    case 'eth_signTypedData_v4':
      return (
        (await orderSaid(row, app, request, language, ports)) ??
        what.typedData(row.target === null ? undefined : getAddress(row.target))
      )
    case 'eth_signTransaction':
      return transactionSaid(row, app, request.params[0], language, ports)
    case 'export':
      return what.export
    case 'delete-account':
      return what.deletion
    case 'set-recovery':
      return what.recovery[request.params[1]]
    case 'remove-method':
      return what.removal[request.params[0]]
    default:
      return request satisfies never
  }
}

const typedDataWords = { en: typedDataEnglish, ar: typedDataArabic } as const satisfies Record<
  Language,
  TypedDataWords
>

/** What typed data moves, in the words of the page; undefined where its form does not say that. */
async function orderSaid(
  { chain_id: chainId, address }: ConfirmationRow,
  app: App,
  { params: [, text] }: Extract<ConfirmableRequest, { method: 'eth_signTypedData_v4' }>,
  language: Language,
  ports: ServerContext['ports'],
): Promise<string | undefined> {
  const { getAddress } = await import('viem/utils')
  const rules = {
    maxBytes: channelLimits.maxSignRequestBytes,
    address: (written: string) => getAddress(written),
  }
  const findings = findingsIn(parseTypedData(text, rules), address)
  const coin = (await chainNamed(app, chainId)) ?? null
  const tokens = chainId === null ? [] : tokensNamed(chainId, tokensIn(findings), () => prices.on(ports))
  const { title, said } = meaningOf(findings, { coin, tokens }, typedDataWords[language])
  return title === undefined ? undefined : said.map((each) => each.text).join(' ')
}

async function transactionSaid(
  { chain_id: chainId, target: addressed, value }: ConfirmationRow,
  app: App,
  unsigned: string,
  language: Language,
  ports: ServerContext['ports'],
): Promise<string> {
  const { what } = texts[language]
  const { getAddress, parseTransaction } = await import('viem/utils')
  const { data = '0x' } = parseTransaction(unsigned as `0x${string}`)
  const chain = await chainNamed(app, chainId)
  const network = chain?.name ?? String(chainId)
  const coin = (amount: bigint) =>
    chain ? `${formatWhole(amount, chain.decimals)} ${chain.symbol}` : what.smallest(String(amount))
  if (addressed === null) return what.creation(network)
  const target = getAddress(addressed)
  const amount = BigInt(value ?? '0')
  if (data === '0x') return what.send(coin(amount), target, network)
  const token = chainId === null ? undefined : prices.on(ports).tokenAt(chainId, target)
  const action =
    amount === 0n && token
      ? tokenAction(
          { address: target, symbol: token.symbol ?? undefined, decimals: token.decimals },
          data,
          (address) => getAddress(address),
        )
      : undefined
  if (action?.kind === 'token-transfer' && token && !isEverything(action.amount)) {
    return what.send(
      `${formatWhole(action.amount, token.decimals)} ${token.symbol ?? target}`,
      action.to,
      network,
    )
  }
  if (action?.kind === 'approval' && token) {
    const most = action.amount === null ? undefined : formatWhole(action.amount, token.decimals)
    return what.allow(
      most && `${most} ${token.symbol ?? target}`,
      token.symbol ?? target,
      action.spender,
      network,
    )
  }
  return amount > 0n ? what.callWith(coin(amount), target, network) : what.call(target, network)
}
