/** The calls about imports of users. */
import type {
  CancelImportAnswer,
  CreateImportAnswer,
  CreateImportBody,
  GetImportAnswer,
  ListImportsQuery,
  ReadImportReportAnswer,
  ReadImportReportQuery,
  StartImportAnswer,
  UploadImportPartAnswer,
} from './contract.ts'
import type { CallName, CallOptions, createRequest, Input } from './request.ts'

export type Import = GetImportAnswer
export type ImportReportRow = ReadImportReportAnswer

export type ImportPart = {
  content: string | Uint8Array<ArrayBuffer> | Blob
  type: 'application/x-ndjson' | 'text/csv'
  /** Whether the content is compressed by gzip. */
  isGzip?: boolean
}

type Calls = Pick<ReturnType<typeof createRequest>, 'request' | 'stream'> & {
  items: (name: CallName, input: Input) => AsyncGenerator<Import>
}

export function createImportCalls({ request, stream, items }: Calls) {
  return {
    /** Iterates over the imports of an app, newest first. */
    list(app: string, filter: Pick<ListImportsQuery, 'limit'> = {}, call?: CallOptions) {
      return items('listImports', { query: { app, ...filter }, options: call })
    },

    /** Creates an import. Upload its parts next. */
    async create(body: CreateImportBody, call?: CallOptions): Promise<Import> {
      return (await request<CreateImportAnswer>('createImport', { body, options: call })).body
    },

    /** Uploads a part of the file, numbered from 1. Replaces an earlier upload of this part. */
    async uploadPart(id: string, part: number, { content, type, isGzip }: ImportPart, call?: CallOptions) {
      const input = {
        params: { import: id, part: String(part) },
        file: { content, type, ...(isGzip && { encoding: 'gzip' }) },
        options: call,
      }
      return (await request<UploadImportPartAnswer>('uploadImportPart', input)).body
    },

    /** Starts an import, or continues a failed one. */
    async start(id: string, call?: CallOptions): Promise<Import> {
      return (await request<StartImportAnswer>('startImport', { params: { import: id }, options: call })).body
    },

    /** Returns an import with its progress. */
    async get(id: string, call?: CallOptions): Promise<Import> {
      return (await request<GetImportAnswer>('getImport', { params: { import: id }, options: call })).body
    },

    /** Iterates over the results of the records, in the order of parts and lines. */
    readReport(id: string, from: ReadImportReportQuery = {}, call?: CallOptions) {
      const { result } = from
      const input = { params: { import: id }, query: from, options: call }
      return stream<ImportReportRow>('readImportReport', input, ({ cursor }) => ({ result, after: cursor }))
    },

    /** Ends an import. Imported users stay. */
    async cancel(id: string, call?: CallOptions): Promise<Import> {
      return (await request<CancelImportAnswer>('cancelImport', { params: { import: id }, options: call }))
        .body
    },
  }
}
