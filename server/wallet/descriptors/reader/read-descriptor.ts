/**
 * Reads an ERC-7730 file: https://eips.ethereum.org/EIPS/eip-7730. Its author may be hostile, so all sizes are
 * bounded, and a property that this server does not implement is refused instead of ignored.
 */
import { encodeType, type TypedField } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { toFunctionSelector } from 'viem/utils'
import { descriptorLimits } from '../limits.ts'
import { DescriptorRefusal, invalid, notSupported } from '../refusal.ts'
import { cleanText } from './clean-text.ts'
import { type Path, parsePath, parseSteps, type Step } from './path.ts'
import {
  type FunctionShape,
  formatSignature,
  parseEncodedType,
  parseFunction,
  type StructShape,
} from './shape.ts'

export type FieldFormat =
  | { type: 'raw' | 'amount' | 'addressName' | 'duration' }
  | { type: 'date'; isBlock: boolean }
  | { type: 'enum'; values: ReadonlyMap<string, string> }
  | { type: 'unit'; base: string; decimals: number }
  | { type: 'tokenAmount'; token: Path | string | undefined; coins: string[] }
  | { type: 'nftName'; collection: Path | string | undefined }

export type DescribedField = { label: string; path: Path; format: FieldFormat }
type FormatBody = { intent: string; fields: DescribedField[] }
export type CallFormat = FormatBody & { function: FunctionShape }
export type TypedDataFormat = FormatBody & { shape: StructShape }

export type Deployment = { chainId: string; address: string }
export type Descriptor = { owner: string; deployments: Deployment[] } & (
  | { kind: 'contract'; formats: ReadonlyMap<string, CallFormat> }
  | {
      kind: 'eip712'
      /** Values that the domain must have. */
      domain: ReadonlyMap<string, string>
      /** By encoded type. */
      formats: ReadonlyMap<string, TypedDataFormat>
    }
)

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/), v.toLowerCase())
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.transform(String))
const deployments = v.pipe(
  v.array(v.strictObject({ chainId, address })),
  v.nonEmpty(),
  v.maxLength(descriptorLimits.maxDeployments),
)
const shortText = v.pipe(v.string(), v.maxLength(1_000))
const name = v.pipe(v.string(), v.regex(/^[A-Za-z_$][A-Za-z0-9_$]*$/))
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()])

const params = v.strictObject({
  tokenPath: v.optional(shortText),
  token: v.optional(address),
  nativeCurrencyAddress: v.optional(v.union([address, v.array(address)])),
  collectionPath: v.optional(shortText),
  collection: v.optional(address),
  encoding: v.optional(v.picklist(['timestamp', 'blockheight'])),
  base: v.optional(shortText),
  decimals: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(36))),
  $ref: v.optional(shortText),
  // Without effect: amounts are exact, addresses are whole, and a name of the descriptor replaces neither.
  threshold: v.optional(scalar),
  message: v.optional(shortText),
  prefix: v.optional(v.boolean()),
  types: v.optional(v.array(shortText)),
  sources: v.optional(v.array(shortText)),
})
type Params = v.InferOutput<typeof params>

const formatName = v.picklist([
  'raw',
  'amount',
  'tokenAmount',
  'addressName',
  'date',
  'duration',
  'enum',
  'unit',
  'nftName',
])
const definition = v.strictObject({
  $id: v.optional(shortText),
  label: v.optional(shortText),
  format: v.optional(formatName),
  params: v.optional(params),
})
type Definition = v.InferOutput<typeof definition>

const leafField = v.strictObject({
  ...definition.entries,
  path: shortText,
  $ref: v.optional(shortText),
  visible: v.optional(v.picklist(['always', 'optional', 'never'])),
})
type LeafField = v.InferOutput<typeof leafField>
type GroupField = { path?: string | undefined; label?: string | undefined; fields: FileField[] }
type FileField = LeafField | GroupField
const groupField = v.strictObject({
  path: v.optional(shortText),
  label: v.optional(shortText),
  fields: v.lazy(() => fields),
})
const fields: v.GenericSchema<FileField[]> = v.array(
  v.lazy(
    (input): v.GenericSchema<FileField> =>
      typeof input === 'object' && input !== null && Object.hasOwn(input, 'fields') ? groupField : leafField,
  ),
)

const format = v.strictObject({
  $id: v.optional(shortText),
  intent: shortText,
  fields,
  /** Paths that a wallet must show: each needs a field. */
  required: v.optional(v.array(shortText)),
  /** Without effect: a value without a field is listed raw. */
  excluded: v.optional(v.array(shortText)),
  screens: v.optional(v.unknown()),
  interpolatedIntent: v.optional(shortText),
})

const abiParameter = v.looseObject({ name: v.optional(v.string()), type: v.string() })
const abiItem = v.looseObject({
  type: v.string(),
  name: v.optional(v.string()),
  inputs: v.optional(v.array(abiParameter)),
})

const typedSchema = v.strictObject({
  primaryType: name,
  types: v.record(name, v.array(v.strictObject({ name, type: v.pipe(v.string(), v.maxLength(256)) }))),
})

const context = v.union([
  v.strictObject({
    $id: v.optional(shortText),
    contract: v.strictObject({ deployments, abi: v.optional(v.array(abiItem)) }),
  }),
  v.strictObject({
    $id: v.optional(shortText),
    eip712: v.strictObject({
      deployments,
      schemas: v.optional(v.array(typedSchema)),
      domain: v.optional(
        v.strictObject({
          name: v.optional(v.string()),
          version: v.optional(v.string()),
          chainId: v.optional(v.number()),
          verifyingContract: v.optional(v.string()),
        }),
      ),
    }),
  }),
])

const file = v.strictObject({
  $schema: v.optional(shortText),
  $comment: v.optional(shortText),
  context,
  metadata: v.strictObject({
    owner: shortText,
    contractName: v.optional(shortText),
    info: v.optional(v.unknown()),
    // Without effect: symbols and decimals come from the token list.
    token: v.optional(v.unknown()),
    constants: v.optional(v.unknown()),
    enums: v.optional(v.record(v.string(), v.record(v.string(), shortText))),
    maps: v.optional(v.unknown()),
  }),
  display: v.strictObject({
    definitions: v.optional(v.record(v.string(), definition)),
    formats: v.record(v.string(), format),
  }),
})
type File = v.InferOutput<typeof file>

/** Reads the text of a file. Throws a `DescriptorRefusal`. */
export function readDescriptor(text: string): Descriptor {
  if (Buffer.byteLength(text) > descriptorLimits.maxFileBytes) {
    throw new DescriptorRefusal('descriptor_too_large', '', `exceeds ${descriptorLimits.maxFileBytes} bytes`)
  }
  const document = parseJson(text)
  assertBounded(document)
  refuseReferences(document)
  const parsed = v.safeParse(file, document)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw invalid(v.getDotPath(issue) ?? '', issue.message)
  }
  return toDescriptor(parsed.output)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('', 'is not JSON')
  }
}

const prototypeKeys = ['__proto__', 'constructor', 'prototype']

/** Bounds the depth and the number of values before any schema sees them. */
function assertBounded(document: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value: document, depth: 1 }]
  let values = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next
    values += 1
    if (values > descriptorLimits.maxValues || depth > descriptorLimits.maxDepth) {
      throw new DescriptorRefusal('descriptor_too_large', '', 'has too many or too deeply nested values')
    }
    if (typeof value !== 'object' || value === null) continue
    const bad = Object.keys(value).find((key) => prototypeKeys.includes(key))
    if (bad !== undefined) throw invalid(bad, 'is no key of a descriptor')
    for (const inner of Object.values(value)) pending.push({ value: inner, depth: depth + 1 })
  }
}

/** Names the parts of the standard that would need a request to another server, or code that is not written. */
function refuseReferences(document: unknown): void {
  if (readKey(document, 'includes') !== undefined) {
    throw notSupported('includes', 'reads another file: merge both into one')
  }
  const [contract, eip712] = ['contract', 'eip712'].map((kind) => readKey(readKey(document, 'context'), kind))
  if (typeof readKey(contract, 'abi') === 'string') {
    throw notSupported(
      'context.contract.abi',
      'is an address: put the ABI itself into the file, or use signatures as keys',
    )
  }
  for (const key of ['factory', 'addressMatcher']) {
    if (readKey(contract, key) !== undefined) {
      throw notSupported(`context.contract.${key}`, 'does not name the contracts: list them as deployments')
    }
  }
  const schemas = readKey(eip712, 'schemas')
  if (Array.isArray(schemas) && schemas.some((schema) => typeof schema === 'string')) {
    throw notSupported('context.eip712.schemas', 'has an address: put the schema itself into the file')
  }
  if (readKey(eip712, 'domainSeparator') !== undefined) {
    throw notSupported('context.eip712.domainSeparator', 'is not compared: list the deployments')
  }
}

const readKey = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

function toDescriptor({ context: described, metadata, display }: File): Descriptor {
  const owner = cleanText(metadata.owner, descriptorLimits.maxOwnerLength, 'metadata.owner')
  const entries = Object.entries(display.formats)
  if (entries.length === 0 || entries.length > descriptorLimits.maxFormats) {
    throw invalid('display.formats', `needs 1 to ${descriptorLimits.maxFormats} formats`)
  }
  const references: References = {
    enums: new Map(Object.entries(metadata.enums ?? {})),
    definitions: new Map(Object.entries(display.definitions ?? {})),
  }
  const uniqueKeys = <Format>(all: [string, Format][]): ReadonlyMap<string, Format> => {
    const formats = new Map(all)
    if (formats.size !== all.length) throw invalid('display.formats', 'describes the same call twice')
    return formats
  }
  if ('contract' in described) {
    const { deployments: list, abi } = described.contract
    const functions = parseAbi(abi ?? [])
    const formats = entries.map(([key, entry]): [string, CallFormat] => {
      const at = `display.formats.${key}`
      const shape = findFunction(key, functions, at)
      const body = toBody(entry, shape.shape, references, at)
      return [toFunctionSelector(formatSignature(shape)), { ...body, function: shape }]
    })
    return { kind: 'contract', owner, deployments: toUnique(list), formats: uniqueKeys(formats) }
  }
  const { deployments: list, schemas = [], domain = {} } = described.eip712
  const formats = entries.map(([key, entry]): [string, TypedDataFormat] => {
    const at = `display.formats.${key}`
    const encoded = findEncodedType(key, schemas, at)
    const { shape } = parseEncodedType(encoded, at)
    return [encoded, { ...toBody(entry, shape, references, at), shape }]
  })
  const values = Object.entries(domain).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, String(value)] as const],
  )
  return {
    kind: 'eip712',
    owner,
    deployments: toUnique(list),
    domain: new Map(values),
    formats: uniqueKeys(formats),
  }
}

function toUnique(list: Deployment[]): Deployment[] {
  const keys = new Set(list.map((each) => `${each.chainId}:${each.address}`))
  if (keys.size !== list.length) throw invalid('context', 'lists a deployment twice')
  return list
}

type AbiFunctions = ReadonlyMap<string, FunctionShape>

/** Returns the functions of a JSON ABI by selector. */
const parseAbi = (abi: v.InferOutput<typeof abiItem>[]): AbiFunctions =>
  new Map(
    abi
      .filter((item) => item.type === 'function' && item.name !== undefined)
      .map((item) => {
        const signature = `${item.name}(${(item.inputs ?? []).map(toSignature).join(',')})`
        const shape = parseFunction(signature, 'context.contract.abi')
        return [toFunctionSelector(formatSignature(shape)), shape] as const
      }),
  )

/** Finds the function of a key: a signature, or a selector of the ABI. The ABI names unnamed parameters. */
function findFunction(key: string, functions: AbiFunctions, at: string): FunctionShape {
  const own = key.includes('(') ? parseFunction(key, at) : undefined
  if (own && [...own.shape.fields.keys()].every((field) => !/^_[0-9]+$/.test(field))) return own
  const selector = own ? toFunctionSelector(formatSignature(own)) : key.toLowerCase()
  const shape = functions.get(selector) ?? own
  if (!shape) throw invalid(at, 'is no signature of a function, and no selector of one in the ABI')
  return shape
}

/** Writes a parameter of a JSON ABI as part of a signature. The depth of the file is bounded. */
function toSignature(parameter: v.InferOutput<typeof abiParameter>): string {
  const { type, name: written = '' } = parameter
  const components: unknown = readKey(parameter, 'components')
  const parts = v.is(v.array(abiParameter), components) ? components.map(toSignature) : []
  const signature = type.startsWith('tuple') ? `(${parts.join(',')})${type.slice('tuple'.length)}` : type
  return `${signature} ${written}`
}

/** Returns the encoded type of a key: the key itself, or the type of the schema with that name. */
function findEncodedType(key: string, schemas: v.InferOutput<typeof typedSchema>[], at: string): string {
  if (key.includes('(')) return key
  const matches = schemas.filter(({ primaryType }) => primaryType === key)
  const [match] = matches
  if (match === undefined || matches.length > 1) throw invalid(at, 'needs one schema with this primary type')
  const types: Record<string, TypedField[]> = { ...match.types }
  return encodeType(types, key)
}

type References = {
  enums: ReadonlyMap<string, Readonly<Record<string, string>>>
  definitions: ReadonlyMap<string, Definition>
}

function toBody(
  entry: v.InferOutput<typeof format>,
  shape: StructShape,
  references: References,
  at: string,
): FormatBody {
  const flat = flatten(entry.fields, [], `${at}.fields`)
  if (flat.length > descriptorLimits.maxFieldsPerFormat) {
    throw invalid(`${at}.fields`, `has more than ${descriptorLimits.maxFieldsPerFormat} fields`)
  }
  const visible = flat.filter(({ field }) => field.visible !== 'never')
  const described = visible.map((each) => toField(each, shape, references))
  const shownPaths = new Set(described.map(({ path }) => JSON.stringify(path)))
  for (const path of entry.required ?? []) {
    if (!shownPaths.has(JSON.stringify(parsePath(path, shape, `${at}.required`)))) {
      throw invalid(`${at}.required`, `names ${path}, which no field shows`)
    }
  }
  const intent = cleanText(entry.intent, descriptorLimits.maxIntentLength, `${at}.intent`)
  return { intent, fields: described }
}

type FlatField = { field: LeafField; parents: Step[]; at: string }

/** Replaces groups by their fields. Only `assertBounded` limits the depth, so few levels are left. */
function flatten(list: FileField[], parents: Step[], at: string): FlatField[] {
  return list.flatMap((field, position) => {
    const here = `${at}.${position}`
    if (!('fields' in field)) return [{ field, parents, at: here }]
    const path = field.path === undefined ? undefined : parseSteps(field.path, `${here}.path`, parents)
    if (path?.from === 'container') throw invalid(`${here}.path`, 'is no group of values')
    return flatten(field.fields, path?.steps ?? parents, `${here}.fields`)
  })
}

function toField(
  { field, parents, at }: FlatField,
  shape: StructShape,
  references: References,
): DescribedField {
  const base = field.$ref === undefined ? {} : findDefinition(field.$ref, references, `${at}.$ref`)
  const label = field.label ?? base.label
  if (label === undefined) throw invalid(`${at}.label`, 'is missing')
  const merged = { ...base.params, ...field.params }
  const context: FormatContext = { shape, parents, references, at: `${at}.params` }
  return {
    label: cleanText(label, descriptorLimits.maxLabelLength, `${at}.label`),
    path: parsePath(field.path, shape, `${at}.path`, parents),
    format: toFormat(field.format ?? base.format ?? 'raw', merged, context),
  }
}

const definitionPrefix = '$.display.definitions.'
const enumPrefix = '$.metadata.enums.'

/** A definition has no `$ref` of its own, so that references cannot form a cycle. */
function findDefinition(reference: string, { definitions }: References, at: string): Definition {
  const referenced = reference.startsWith(definitionPrefix)
    ? definitions.get(reference.slice(definitionPrefix.length))
    : undefined
  if (!referenced) throw invalid(at, `refers to ${reference}, which is no definition`)
  return referenced
}

type FormatContext = { shape: StructShape; parents: Step[]; references: References; at: string }

/** Units that are no assets. With others, a descriptor could set the decimals of a token. */
const units = ['%', 'bps', 's', 'min', 'h', 'd']

/** Addresses that mean the native coin. With others, a descriptor could show a token as the coin. */
const coinAddresses = [`0x${'e'.repeat(40)}`, `0x${'0'.repeat(40)}`]

function toFormat(
  type: v.InferOutput<typeof formatName>,
  given: Params,
  context: FormatContext,
): FieldFormat {
  const { shape, parents, references, at } = context
  const findAsset = (path: string | undefined, fixed: string | undefined, key: string) =>
    path === undefined ? fixed : parsePath(path, shape, `${at}.${key}`, parents)
  switch (type) {
    case 'raw':
    case 'amount':
    case 'addressName':
    case 'duration':
      return { type }
    case 'date':
      return { type, isBlock: given.encoding === 'blockheight' }
    case 'tokenAmount': {
      const coins = [given.nativeCurrencyAddress ?? []].flat()
      if (coins.some((coin) => !coinAddresses.includes(coin))) {
        throw notSupported(`${at}.nativeCurrencyAddress`, `must be one of ${coinAddresses.join(', ')}`)
      }
      return { type, token: findAsset(given.tokenPath, given.token, 'tokenPath'), coins }
    }
    case 'nftName':
      return { type, collection: findAsset(given.collectionPath, given.collection, 'collectionPath') }
    case 'unit': {
      const { base = '', decimals = 0 } = given
      if (!units.includes(base)) throw notSupported(`${at}.base`, `must be one of ${units.join(', ')}`)
      return { type, base, decimals }
    }
    case 'enum': {
      const reference = given.$ref ?? ''
      const entries = reference.startsWith(enumPrefix)
        ? references.enums.get(reference.slice(enumPrefix.length))
        : undefined
      if (!entries) throw invalid(`${at}.$ref`, `refers to ${reference}, which is no list of values`)
      const clean = Object.entries(entries).map(
        ([value, label]) => [value, cleanText(label, descriptorLimits.maxLabelLength, `${at}.$ref`)] as const,
      )
      return { type, values: new Map(clean) }
    }
    default:
      return type satisfies never
  }
}
