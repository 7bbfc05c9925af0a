/** The calls about the words of mails and texts. */
import type {
  GetMessageAnswer,
  ListMessagesAnswer,
  PreviewMessageAnswer,
  PreviewMessageBody,
  ResetMessageAnswer,
  SetMessageAnswer,
  SetMessageBody,
  TestMessageAnswer,
  TestMessageBody,
} from './contract.ts'
import type { CallOptions, ChangeOptions, createRequest } from './request.ts'

export type Message = GetMessageAnswer
/** The kind of a message, and a language of the dialog. */
export type MessageName = Pick<Message, 'kind' | 'locale'>

export const createMessageCalls = ({ request }: Pick<ReturnType<typeof createRequest>, 'request'>) => ({
  /** Returns each message in each language: your words, or ours as a template. */
  async list(app: string, call?: CallOptions): Promise<Message[]> {
    return (await request<ListMessagesAnswer>('listMessages', { params: { app }, options: call })).body.data
  },

  /** Returns a message, and the etag for `ifMatch`. */
  async get(app: string, { kind, locale }: MessageName, call?: CallOptions) {
    const input = { params: { app, kind, locale }, options: call }
    const { body, etag } = await request<GetMessageAnswer>('getMessage', input)
    return { message: body, etag }
  },

  /** Replaces the words of a message. */
  async set(app: string, { kind, locale }: MessageName, body: SetMessageBody, call?: ChangeOptions) {
    const input = { params: { app, kind, locale }, body, options: call }
    return (await request<SetMessageAnswer>('setMessage', input)).body
  },

  /** Deletes your words, so that the message has ours. */
  async reset(app: string, { kind, locale }: MessageName, call?: ChangeOptions) {
    const input = { params: { app, kind, locale }, options: call }
    return (await request<ResetMessageAnswer>('resetMessage', input)).body
  },

  /** Renders a message with a made-up code. */
  async preview(app: string, { kind, locale }: MessageName, body: PreviewMessageBody, call?: CallOptions) {
    const input = { params: { app, kind, locale }, body, options: call }
    return (await request<PreviewMessageAnswer>('previewMessage', input)).body
  },

  /** Sends a message that is marked as a test. */
  async test(app: string, { kind, locale }: MessageName, body: TestMessageBody, call?: CallOptions) {
    const input = { params: { app, kind, locale }, body, options: call }
    return (await request<TestMessageAnswer>('testMessage', input)).body
  },
})
