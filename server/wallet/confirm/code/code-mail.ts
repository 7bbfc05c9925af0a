/** Renders the mail or SMS with a confirmation code. It describes the request and names the hostname for the code. */
import { channelLimits, emailLimits, LatchkeyError } from '@latchkey/protocol'
import type { MessageTemplate } from '@latchkey/protocol/admin'
import {
  analyzeTypedData,
  describeFindings,
  formatExact,
  isUnlimited,
  listTokens,
  parseTokenAction,
  type TypedDataTexts,
} from '@latchkey/protocol/reading'
import { readingFolder, readTexts } from '@latchkey/protocol/texts/at-start'
import {
  type ConfirmableRequest,
  confirmableRequestSchema,
  noDelegate,
  parseDelegation,
  parseTypedData,
  parseUserOperation,
} from '@latchkey/protocol/wallet'
import { html } from 'hono/html'
import * as v from 'valibot'
import {
  attachedImages,
  blocksHtml,
  codeParagraph,
  type Mail,
  mailPage,
  oneLine,
  parseLogo,
  textParagraph,
} from '../../../integrations/mail/mail.ts'
import { prices } from '../../../integrations/prices/prices.ts'
import { fillHtml, fillText } from '../../../integrations/templates/templates.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { insertElement } from '../../../kernel/http/pages/markup.ts'
import type { Language } from '../../../kernel/languages.ts'
import type { App } from '../../../kernel/ports.ts'
import { findChain, findTokens } from '../reading/names.ts'
import { parseRequester } from '../relayed.ts'
import type { ConfirmationRow } from '../tables.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)
/** The texts that describe typed data, shared with the confirmation page. */
const readingTexts = readTexts<TypedDataTexts>(readingFolder)

/** The fields of a confirmation that the message describes. */
type DescribedRow = Pick<
  ConfirmationRow,
  'request' | 'requester' | 'chain_id' | 'address' | 'target' | 'value'
>

export type CodeMessage = {
  code: string
  language: Language
  app: App
  row: DescribedRow
  /** The only host with a page that may receive the code. The mail names it. */
  hostname: string
  ports: ServerContext['ports']
  /** The operator's words, instead of ours. The description of the request and its host stay ours. */
  template?: MessageTemplate | undefined
}

/** Returns our words of the mail as a template. */
export function codeMailTemplate(language: Language): MessageTemplate {
  const { subject, heading } = texts(language)
  const [code, name] = ['{{code}}', '{{app}}']
  return { subject: subject({ code, name }), heading: heading({ name }), blocks: [code] }
}

export const codeTextTemplate: MessageTemplate = { subject: null, heading: null, blocks: ['{{code}}'] }

/** Renders the lines of the message. The last one binds the code to the host: https://wicg.github.io/sms-one-time-codes/ */
async function renderLines({ code, language, app, row, hostname, ports }: CodeMessage) {
  const name = oneLine(app.name)
  const codeTexts = texts(language)
  return {
    before:
      row.requester === null
        ? codeTexts.before({ name })
        : codeTexts.beforeRelayed({ hostname: new URL(parseRequester(row.requester).url).host, name }),
    what: await describeRequest(row, app, language, ports),
    where: codeTexts.where({ hostname }),
    validity: codeTexts.validity({ minutes: emailLimits.codeSeconds / 60 }),
    ifNotYou: codeTexts.ifNotYou({ name }),
    boundCode: `@${hostname.split(':')[0]} #${code}`,
  }
}

/** Renders the SMS with the mail's texts. The code comes first, because the description may be long. */
export async function renderCodeText(message: CodeMessage): Promise<string> {
  const { before, what, where, validity, ifNotYou, boundCode } = await renderLines(message)
  const values = { app: oneLine(message.app.name), code: message.code }
  const blocks = message.template?.blocks.map((block) => fillText(block, values)) ?? [message.code]
  return [...blocks, before, what, `${where} ${validity}`, ifNotYou, '', boundCode].join('\n')
}

export async function renderCodeMail({ to, ...message }: CodeMessage & { to: string }): Promise<Mail> {
  const { code, language, app, template } = message
  const name = oneLine(app.name)
  const says = texts(language)
  const { before, what, where, validity, ifNotYou, boundCode } = await renderLines(message)
  const values = { app: name, code }
  const subject = template ? fillText(template.subject ?? '', values) : says.subject({ code, name })
  const blocks = template?.blocks.map((block) => fillText(block, values)) ?? [code]
  const logo = parseLogo(app.config.logoUrl)
  return {
    to,
    subject,
    text: [before, what, ...blocks, where, validity, ifNotYou, boundCode].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: template
        ? fillHtml(template.heading ?? '', values)
        : insertElement((place) => says.heading({ name: place }), html`<bdi>${name}</bdi>`),
      body: html`${template ? textParagraph(html`${before}`) : ''}<p class="text" style="margin:0 0 16px;font-size:15px;line-height:22px;color:#17171a;overflow-wrap:anywhere">${what}</p>
${template ? blocksHtml(template.blocks, values) : codeParagraph(code)}
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${where} ${validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b"><bdi dir="ltr">${boundCode}</bdi></p>`,
    }),
    images: attachedImages(logo),
  }
}

/** Describes the request in one text. The mail omits details that it cannot express, but the page shows all of them. */
async function describeRequest(
  row: DescribedRow,
  app: App,
  language: Language,
  ports: ServerContext['ports'],
): Promise<string> {
  const { what } = texts(language)
  const { getAddress } = await import('viem/utils')
  const request: ConfirmableRequest = v.parse(confirmableRequestSchema, JSON.parse(row.request))
  switch (request.method) {
    case 'personal_sign':
    case 'signMessage':
      return what.message
    case 'eth_signTypedData_v4':
      return (
        (await describeTypedData(row, app, request, language, ports)) ??
        (row.target === null
          ? what.typedDataOfNoContract
          : what.typedData({ contract: getAddress(row.target) }))
      )
    case 'solana_signTransaction':
      return what.solanaTransaction
    case 'eth_signTransaction':
      return describeTransaction(row, app, request.params[0], language, ports)
    case 'eth_signUserOperation': {
      const { chainId } = parseUserOperation(request.params[1])
      const network = (await findChain(app, String(chainId)))?.name ?? String(chainId)
      return what.operation({ network })
    }
    case 'eth_signAuthorization': {
      const { chainId, delegate } = parseDelegation(request.params[1])
      const network = (await findChain(app, String(chainId)))?.name ?? String(chainId)
      return delegate === noDelegate ? what.undelegation({ network }) : what.delegation({ network })
    }
    case 'export':
      return what.export
    case 'import':
      throw new LatchkeyError('not_supported', 'Only the import page approves an import')
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

/** Describes the transfers in typed data like the page does, or returns undefined for an unknown format. */
async function describeTypedData(
  { chain_id: chainId, address }: DescribedRow,
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
  const findings = analyzeTypedData(parseTypedData(text, rules), address)
  const coin = (await findChain(app, chainId)) ?? null
  const tokens = chainId === null ? [] : findTokens(chainId, listTokens(findings), () => prices.get(ports))
  const { title, sentences } = describeFindings(findings, { coin, tokens }, readingTexts(language), language)
  return title === undefined ? undefined : sentences.map((each) => each.text).join(' ')
}

async function describeTransaction(
  { chain_id: chainId, target: addressed, value }: DescribedRow,
  app: App,
  unsigned: string,
  language: Language,
  ports: ServerContext['ports'],
): Promise<string> {
  const { what } = texts(language)
  const { getAddress, parseTransaction } = await import('viem/utils')
  const { data = '0x' } = parseTransaction(unsigned as `0x${string}`)
  const chain = await findChain(app, chainId)
  const network = chain?.name ?? String(chainId)
  const coin = (amount: bigint) =>
    chain
      ? `${formatExact(amount, chain.decimals)} ${chain.symbol}`
      : what.smallest({ amount: String(amount) })
  if (addressed === null) return what.creation({ network })
  const target = getAddress(addressed)
  const amount = BigInt(value ?? '0')
  if (data === '0x') return what.send({ amount: coin(amount), to: target, network })
  const token = chainId === null ? undefined : prices.get(ports).findToken(chainId, target)
  const action =
    amount === 0n && token
      ? parseTokenAction(
          { address: target, symbol: token.symbol ?? undefined, decimals: token.decimals },
          data,
          (address) => getAddress(address),
        )
      : undefined
  if (action?.kind === 'token-transfer' && token && !isUnlimited(action.amount)) {
    return what.send({
      amount: `${formatExact(action.amount, token.decimals)} ${token.symbol ?? target}`,
      to: action.to,
      network,
    })
  }
  if (action?.kind === 'approval' && token) {
    const { amount: most, spender } = action
    const name = token.symbol ?? target
    return most === null
      ? what.allowEverything({ token: name, spender, network })
      : what.allow({ most: `${formatExact(most, token.decimals)} ${name}`, spender, network })
  }
  return amount > 0n
    ? what.callWith({ amount: coin(amount), contract: target, network })
    : what.call({ contract: target, network })
}
