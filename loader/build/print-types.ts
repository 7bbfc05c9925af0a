/**
 * Prints `published.ts` as plain declarations, from the schemas themselves. A type test compares what comes out
 * with what TypeScript infers, so neither can go its own way.
 */
import {
  callNames,
  clientConfigDoc,
  clientConfigSchema,
  colourSetting,
  errorCodes,
  hostAccountSchema,
  httpsLink,
  loginMethodSchema,
  loginMethods,
  oauthTokensSchema,
  product,
  sendUiSchema,
  signUiSchema,
  socialProviders,
  themeSetting,
  transactionRequestSchema,
  userSchema,
  walletAccountSchema,
} from '@latchkey/protocol'
import {
  farcasterSignerAnswers,
  forkAnswers,
  fundingAnswers,
  fundingCalls,
  loaderMessages,
  signAnswers,
  transactionReceiptSchema,
} from '@latchkey/protocol/host'

/** What a schema says of itself, as far as types need it. */
type Described = {
  type: string
  entries?: Readonly<Record<string, Described>>
  options?: readonly unknown[]
  literal?: unknown
  wrapped?: Described
  item?: Described
  value?: Described
}
type Names = ReadonlyMap<unknown, string>
/** Sentences for an editor, by the path of their field. */
type Docs = Readonly<Record<string, string>>

const { login } = loaderMessages.answers
const { forkSession } = forkAnswers
const { fundWallet } = fundingAnswers
const fundingConfig = fundingCalls.fundWallet.input.entries.config.wrapped
const { requestFarcasterSigner } = farcasterSignerAnswers
const { signMessage } = signAnswers

export function printTypes(): string {
  const schemas = {
    WalletAccount: walletAccountSchema,
    LinkedAccount: hostAccountSchema,
    User: userSchema,
    LoginResult: login,
    ForkedSession: forkSession,
    Funded: fundWallet,
    FundingConfig: fundingConfig,
    FarcasterSigner: requestFarcasterSigner,
    SignUi: signUiSchema,
    SignedMessage: signMessage,
    OAuthTokens: oauthTokensSchema,
    TransactionRequest: transactionRequestSchema,
    SendUi: sendUiSchema,
    TransactionReceipt: transactionReceiptSchema,
    ClientConfig: clientConfigSchema,
  }
  const names: Names = new Map<unknown, string>([
    ...Object.entries(schemas).map(([name, schema]) => [schema, name] as const),
    // What the loader hears loosely has the types of the entities.
    [login.entries.user, 'User'],
    [login.entries.loginMethod, 'LoginMethod | null'],
    [loginMethodSchema, 'LoginMethod'],
    [login.entries.loginAccount.wrapped, 'LinkedAccount'],
    // What an editor is told is narrower than what is refused.
    [signMessage.entries.signature, startingWith('0x')],
    [signMessage.entries.address, startingWith('0x')],
    [transactionReceiptSchema.entries.transactionHash, startingWith('0x')],
    [httpsLink, startingWith('https://')],
    [colourSetting, startingWith('#')],
    [themeSetting, `${oneOf(['light', 'dark', 'auto'])} | ${startingWith('#')}`],
  ])
  const aliases = Object.entries(schemas).map(
    ([name, schema]) =>
      `export type ${name} = ${printShape(schema as unknown as Described, names, schema === clientConfigSchema ? clientConfigDoc : {})}`,
  )
  return [
    '/** Written by the build from the schemas of the protocol. */',
    ...aliases,
    // Its schema is loose; its fields are those of an account, but for when that was proved.
    "export type ConnectedWallet = Pick<WalletAccount, 'type' | 'address' | 'chainType' | 'chainId' | 'walletClientType' | 'connectorType'>",
    `export type LoginMethod = ${oneOf(loginMethods)} | ${startingWith(`${product.key}:`)}`,
    '/** What can be linked to a user, as the methods write it: `linkGoogle()`, `unlinkGoogle(subject)`. */',
    `export type Linkable = ${oneOf(Object.values(callNames))}`,
    `export type SocialProvider = ${oneOf(socialProviders)}`,
    `export type ErrorCode = ${oneOf(errorCodes)}`,
    'export declare class LatchkeyError extends Error {',
    "  name: 'LatchkeyError'",
    '  code: ErrorCode',
    '  details: unknown',
    '  retryAfterSeconds: number | undefined',
    '  constructor(',
    '    code: ErrorCode,',
    '    message: string,',
    '    options?: { details?: unknown; cause?: unknown; retryAfterSeconds?: number | undefined },',
    '  )',
    '}',
    '',
  ].join('\n')
}

const startingWith = (text: string) => `\`${text}\${string}\``
const oneOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(' | ')

const print = (schema: Described, names: Names, docs: Docs, path: string): string =>
  names.get(schema) ?? printShape(schema, names, docs, path)

function printShape(schema: Described, names: Names, docs: Docs, path = ''): string {
  const { type, entries = {}, options = [], literal, wrapped, item, value } = schema
  const inner = (part: Described | undefined, at = path) => (part ? print(part, names, docs, at) : 'unknown')
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'unknown':
      return type
    case 'literal':
      return JSON.stringify(literal)
    case 'picklist':
      return oneOf(options)
    case 'union':
    case 'variant':
      return options.map((option) => print(option as Described, names, docs, path)).join(' | ')
    case 'nullable':
      return `${inner(wrapped)} | null`
    case 'array':
      return `(${inner(item)})[]`
    case 'record':
      return `{ [key: string]: ${inner(value)} }`
    case 'object':
    case 'strict_object':
      return `{ ${Object.entries(entries)
        .map(([name, field]) => {
          const at = path ? `${path}.${name}` : name
          const doc = docs[at] ? `\n/** ${docs[at]} */\n` : ''
          switch (field.type) {
            case 'optional':
              return `${doc}${name}?: ${inner(field.wrapped, at)} | undefined`
            case 'exact_optional':
              return `${doc}${name}?: ${inner(field.wrapped, at)}`
            default:
              return `${doc}${name}: ${inner(field, at)}`
          }
        })
        .join('; ')} }`
    default:
      throw new Error(`A schema of type ${type} has no form in printed types yet`)
  }
}
