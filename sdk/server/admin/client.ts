/** A client of the Admin API. Objects have the names of the API. */
import type {
  CancelFactorResetAnswer,
  CreateAppAnswer,
  CreateAppBody,
  CreateUserAnswer,
  CreateUserBody,
  DeleteUserAnswer,
  EndSessionAnswer,
  EndSessionsAnswer,
  ExportUsersAnswer,
  ExportUsersQuery,
  GetAppAnswer,
  GetFactorResetAnswer,
  GetUserAnswer,
  ListAdminKeysAnswer,
  ListAllowlistAnswer,
  ListAllowlistQuery,
  ListAppsAnswer,
  ListAppsQuery,
  ListAuditAnswer,
  ListAuditQuery,
  ListImportsAnswer,
  ListOperatorsAnswer,
  ListProposalsAnswer,
  ListRequestersAnswer,
  ListSessionsAnswer,
  ListUsersAnswer,
  ListUsersQuery,
  ReadAuditHeadAnswer,
  ReadSponsoredAnswer,
  ReadStatsAnswer,
  ReadStatsQuery,
  ReadSystemAnswer,
  RemoveRequesterAnswer,
  ResetFactorsAnswer,
  RevokeAdminKeyAnswer,
  RevokeOperatorAnswer,
  SearchUsersAnswer,
  SearchUsersBody,
  StreamAuditAnswer,
  StreamAuditQuery,
  TryApprovalAnswer,
  TryApprovalBody,
  UnlinkAccountAnswer,
  UnlinkAccountBody,
  UpdateAllowlistAnswer,
  UpdateAllowlistBody,
  UpdateAppAnswer,
  UpdateAppBody,
  UpdateUserAnswer,
  UpdateUserBody,
} from './contract.ts'
import { createDescriptorCalls } from './descriptors.ts'
import { createHookCalls } from './hooks.ts'
import { createImportCalls } from './imports.ts'
import { createMessageCalls } from './messages.ts'
import { createOidcCalls } from './oidc.ts'
import { createProposalCalls } from './proposals.ts'
import {
  type AdminClientOptions,
  type CallName,
  type CallOptions,
  type ChangeOptions,
  createRequest,
  type Input,
} from './request.ts'
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

  type Page = { data: unknown[]; next: string | null }
  async function* pages<Answer extends Page>(name: CallName, input: Input) {
    for (let after: string | undefined; ; ) {
      const { body } = await request<Answer>(name, { ...input, query: { ...input.query, after } })
      yield body.data as Answer['data']
      if (body.next === null) return
      after = body.next
    }
  }
  async function* items<Answer extends Page>(name: CallName, input: Input) {
    for await (const page of pages<Answer>(name, input)) yield* page as Answer['data'][number][]
  }

  return {
    /** Manages the webhooks of an app. */
    webhooks: createWebhookCalls({ request }),

    /** Manages the hooks of an app. */
    hooks: createHookCalls({ request }),

    /** Imports users. */
    imports: createImportCalls({
      request,
      stream,
      items: (name, input) => items<ListImportsAnswer>(name, input),
    }),

    /** Manages the OpenID providers of an app. */
    oidc: createOidcCalls({ request }),

    /** Manages the ERC-7730 descriptors of an app. */
    descriptors: createDescriptorCalls({ request }),

    /** Manages the words of mails and texts. */
    messages: createMessageCalls({ request }),

    /** Iterates over the pages of users, newest first. */
    listUserPages(app: string, filter?: UserFilter, call?: CallOptions) {
      return pages<ListUsersAnswer>('listUsers', { params: { app }, query: filter, options: call })
    },

    /** Iterates over users, newest first. `limit` is the number of users per request. */
    listUsers(app: string, filter?: UserFilter, call?: CallOptions) {
      return items<ListUsersAnswer>('listUsers', { params: { app }, query: filter, options: call })
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

    /** Iterates over all users of an app after a cursor, oldest first. Continues after a lost connection. */
    exportUsers(app: string, from: ExportUsersQuery = {}, call?: CallOptions) {
      const input = { params: { app }, query: from, options: call }
      return stream<ExportUsersAnswer>('exportUsers', input, ({ cursor }) => ({ after: cursor }))
    },

    /** Creates a user before their first login. The first login with one of the accounts takes over the user. */
    async createUser(app: string, user: CreateUserBody, call?: CallOptions) {
      const input = { params: { app }, body: user, options: call }
      return (await request<CreateUserAnswer>('createUser', input)).body
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

    /** Sets the external id, and replaces parts of the metadata. */
    async updateUser(
      app: string,
      user: string,
      body: Pick<UpdateUserBody, 'metadata' | 'external_id'>,
      call?: ChangeOptions,
    ) {
      const input = { params: { app, user }, body, options: call }
      return (await request<UpdateUserAnswer>('updateUser', input)).body
    },

    /** Unlinks an account from a user, but never their last one. */
    async unlinkAccount(app: string, user: string, account: UnlinkAccountBody, call?: ChangeOptions) {
      const input = { params: { app, user }, body: account, options: call }
      return (await request<UnlinkAccountAnswer>('unlinkAccount', input)).body
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

    /**
     * Removes all verification methods of a user after their loss, and ends the sessions. With `users:support`, returns
     * the `request` that waits for another operator.
     */
    async resetFactors(app: string, user: string, call?: CallOptions) {
      return (await request<ResetFactorsAnswer>('resetFactors', { params: { app, user }, options: call }))
        .body
    },

    /** Returns the request to remove verification methods that waits for another operator, or null. */
    async getFactorReset(app: string, user: string, call?: CallOptions) {
      const input = { params: { app, user }, options: call }
      return (await request<GetFactorResetAnswer>('getFactorReset', input)).body.request
    },

    /** Cancels such a request. */
    async cancelFactorReset(app: string, user: string, call?: CallOptions): Promise<void> {
      await request<CancelFactorResetAnswer>('cancelFactorReset', { params: { app, user }, options: call })
    },

    /** Iterates over the apps that the key may act on, newest first. */
    listApps(filter?: Pick<ListAppsQuery, 'limit'>, call?: CallOptions) {
      return items<ListAppsAnswer>('listApps', { query: filter, options: call })
    },

    /** Creates an app. The key must be for every app. */
    async createApp(app: CreateAppBody, call?: CallOptions) {
      return (await request<CreateAppAnswer>('createApp', { body: app, options: call })).body
    },

    /** Returns an app with its settings, and the etag for `ifMatch`. */
    async getApp(app: string, call?: CallOptions) {
      const { body, etag } = await request<GetAppAnswer>('getApp', { params: { app }, options: call })
      return { app: body, etag }
    },

    /** Changes settings, by the names of `latchkey app set`. Returns the app, and its new etag. */
    async updateApp(app: string, settings: UpdateAppBody['settings'], call?: ChangeOptions) {
      const input = { params: { app }, body: { settings }, options: call }
      const { body, etag } = await request<UpdateAppAnswer>('updateApp', input)
      return { app: body, etag }
    },

    /** Returns where a request would be approved and why. Nothing is stored. */
    async tryApproval(app: string, body: TryApprovalBody, call?: CallOptions) {
      const input = { params: { app }, body, options: call }
      return (await request<TryApprovalAnswer>('tryApproval', input)).body
    },

    /** Proposes, approves and applies changes that need two operators. */
    proposals: createProposalCalls({
      request,
      items: (name, input) => items<ListProposalsAnswer>(name, input),
    }),

    /** Iterates over the accounts that may log in while `allowlist_enabled` is true. */
    listAllowlist(app: string, filter?: Pick<ListAllowlistQuery, 'limit'>, call?: CallOptions) {
      return items<ListAllowlistAnswer>('listAllowlist', { params: { app }, query: filter, options: call })
    },

    /** Adds and removes entries of the allowlist, all or none. */
    async updateAllowlist(app: string, change: UpdateAllowlistBody, call?: CallOptions) {
      const input = { params: { app }, body: change, options: call }
      return (await request<UpdateAllowlistAnswer>('updateAllowlist', input)).body
    },

    /** Returns the apps that may ask users of this one for their wallets. */
    async listRequesters(app: string, call?: CallOptions) {
      const input = { params: { app }, options: call }
      return (await request<ListRequestersAnswer>('listRequesters', input)).body.data
    },

    /** Removes such an app, and ends its connections. */
    async removeRequester(app: string, requester: string, call?: CallOptions) {
      const input = { params: { app, requester }, options: call }
      return (await request<RemoveRequesterAnswer>('removeRequester', input)).body
    },

    /** Returns the fees paid for users of an app by chain and day, and the rest of the daily limit. */
    async readSponsored(app: string, call?: CallOptions) {
      const input = { params: { app }, options: call }
      return (await request<ReadSponsoredAnswer>('readSponsored', input)).body
    },

    /** Returns counts of an app by hour or day, oldest first. */
    async readStats(app: string, query?: ReadStatsQuery, call?: CallOptions) {
      const input = { params: { app }, query, options: call }
      return (await request<ReadStatsAnswer>('readStats', input)).body
    },

    /** Returns the state of the server. The key must be for every app. */
    async readSystem(call?: CallOptions) {
      return (await request<ReadSystemAnswer>('readSystem', { options: call })).body
    },

    /** Iterates over audit entries, newest first. `limit` is the number of entries per request. */
    listAudit(filter?: AuditFilter, call?: CallOptions) {
      return items<ListAuditAnswer>('listAudit', { query: filter, options: call })
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

    /** Returns the operators of the dashboard that the key may see, oldest first. */
    async listOperators(call?: CallOptions) {
      return (await request<ListOperatorsAnswer>('listOperators', { options: call })).body.data
    },

    /** Ends the sessions of an operator, and refuses their passkeys from now on. */
    async revokeOperator(operator: string, call?: CallOptions) {
      const input = { params: { operator }, options: call }
      return (await request<RevokeOperatorAnswer>('revokeOperator', input)).body
    },

    /** Returns the admin keys that the key may see, without their secrets, oldest first. */
    async listAdminKeys(call?: CallOptions) {
      return (await request<ListAdminKeysAnswer>('listAdminKeys', { options: call })).body.data
    },

    /** Refuses an admin key from now on. */
    async revokeAdminKey(key: string, call?: CallOptions) {
      return (await request<RevokeAdminKeyAnswer>('revokeAdminKey', { params: { key }, options: call })).body
    },
  }
}
