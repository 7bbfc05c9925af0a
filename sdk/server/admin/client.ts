/** A client of the Admin API. Objects have the names of the API. */
import type {
  DeleteUserAnswer,
  EndSessionAnswer,
  EndSessionsAnswer,
  GetUserAnswer,
  ListAuditAnswer,
  ListAuditQuery,
  ListSessionsAnswer,
  ListUsersAnswer,
  ListUsersQuery,
  ReadAuditHeadAnswer,
  ResetFactorsAnswer,
  SearchUsersAnswer,
  SearchUsersBody,
  StreamAuditAnswer,
  StreamAuditQuery,
  UpdateUserAnswer,
  UpdateUserBody,
} from './contract.ts'
import { type AdminClientOptions, type CallOptions, type ChangeOptions, createRequest } from './request.ts'
import { createWebhookCalls } from './webhooks.ts'

export type ListedUser = ListUsersAnswer['data'][number]
export type UserFilter = Pick<ListUsersQuery, 'limit' | 'created_after' | 'created_before' | 'blocked'>

export type AuditEntry = ListAuditAnswer['data'][number]
export type AuditFilter = Pick<ListAuditQuery, 'app' | 'event' | 'user' | 'limit'>

type LookUpName = 'email' | 'phone' | 'wallet' | 'account' | 'external_id'
/** An identifier of a user, in any spelling that a login accepts. */
export type UserLookUp = { [Name in LookUpName]: { [Only in Name]: string } }[LookUpName]

export type AdminClient = ReturnType<typeof createAdminClient>

/** Creates a client. It sends changes with an idempotency key, and repeats calls that got no answer. */
export function createAdminClient(options: AdminClientOptions) {
  const { request, stream } = createRequest(options)

  async function* listUserPages(app: string, filter: UserFilter = {}, call?: CallOptions) {
    for (let after: string | undefined; ; ) {
      const input = { params: { app }, query: { ...filter, after }, options: call }
      const { body } = await request<ListUsersAnswer>('listUsers', input)
      yield body.data
      if (body.next === null) return
      after = body.next
    }
  }

  return {
    /** Manages the webhooks of an app. */
    webhooks: createWebhookCalls({ request }),

    /** Iterates over the pages of users, newest first. */
    listUserPages,

    /** Iterates over users, newest first. `limit` is the number of users per request. */
    async *listUsers(app: string, filter?: UserFilter, call?: CallOptions) {
      for await (const page of listUserPages(app, filter, call)) yield* page
    },

    /** Returns the users with this identifier, usually one or none. */
    async findUsers(app: string, lookUp: UserLookUp, call?: CallOptions) {
      const input = { params: { app }, query: lookUp, options: call }
      return (await request<ListUsersAnswer>('listUsers', input)).body.data
    },

    /** Returns the users with an e-mail address or external id that starts with the prefix. */
    async searchUsers(app: string, search: SearchUsersBody, call?: CallOptions) {
      const input = { params: { app }, body: search, options: call }
      return (await request<SearchUsersAnswer>('searchUsers', input)).body.data
    },

    /** Returns a user, and the etag for `ifMatch`. */
    async getUser(app: string, user: string, call?: CallOptions) {
      const { body, etag } = await request<GetUserAnswer>('getUser', { params: { app, user }, options: call })
      return { user: body, etag }
    },

    /** Ends all sessions of a user and refuses their logins. */
    async blockUser(
      app: string,
      user: string,
      { reason, ...call }: ChangeOptions & { reason?: string } = {},
    ) {
      const body: UpdateUserBody = { blocked: reason === undefined ? {} : { reason } }
      return (await request<UpdateUserAnswer>('updateUser', { params: { app, user }, body, options: call }))
        .body
    },

    /** Lets a blocked user log in again. */
    async unblockUser(app: string, user: string, call?: ChangeOptions) {
      const body: UpdateUserBody = { blocked: null }
      const input = { params: { app, user }, body, options: call }
      return (await request<UpdateUserAnswer>('updateUser', input)).body
    },

    /** Deletes a user and their wallets for good. */
    async deleteUser(app: string, user: string, call?: ChangeOptions) {
      return (await request<DeleteUserAnswer>('deleteUser', { params: { app, user }, options: call })).body
    },

    /** Returns the living sessions of a user, newest first. */
    async listSessions(app: string, user: string, call?: CallOptions) {
      return (await request<ListSessionsAnswer>('listSessions', { params: { app, user }, options: call }))
        .body.data
    },

    /** Ends all sessions of a user. */
    async endSessions(app: string, user: string, call?: CallOptions) {
      return (await request<EndSessionsAnswer>('endSessions', { params: { app, user }, options: call })).body
    },

    /** Ends one session with its forks. */
    async endSession(app: string, user: string, session: string, call?: CallOptions) {
      const input = { params: { app, user, session }, options: call }
      return (await request<EndSessionAnswer>('endSession', input)).body
    },

    /** Removes all verification methods of a user after their loss, and ends the sessions. */
    async resetFactors(app: string, user: string, call?: CallOptions) {
      return (await request<ResetFactorsAnswer>('resetFactors', { params: { app, user }, options: call }))
        .body
    },

    /** Iterates over audit entries, newest first. `limit` is the number of entries per request. */
    async *listAudit(filter: AuditFilter = {}, call?: CallOptions) {
      for (let after: string | undefined; ; ) {
        const input = { query: { ...filter, after }, options: call }
        const { body } = await request<ListAuditAnswer>('listAudit', input)
        yield* body.data
        if (body.next === null) return
        after = body.next
      }
    },

    /** Iterates over audit entries after a sequence, oldest first. Continues after a lost connection. */
    streamAudit(from: Pick<StreamAuditQuery, 'app'> & { after?: number } = {}, call?: CallOptions) {
      const { app } = from
      const input = { query: from, options: call }
      return stream<StreamAuditAnswer>('streamAudit', input, ({ sequence }) => ({ app, after: sequence }))
    },

    /** Returns the signed heads of the audit chains. Store them, for `latchkey audit verify --head`. */
    async readAuditHead(call?: CallOptions) {
      return (await request<ReadAuditHeadAnswer>('readAuditHead', { options: call })).body.data
    },
  }
}
