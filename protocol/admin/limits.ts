/** Limits of the Admin API that its callers see. */
export const adminLimits = {
  maxBodyBytes: 16_384,
  /** A descriptor has 128 KiB, which JSON may escape. */
  maxDescriptorBodyBytes: 300_000,
  /** Objects per page. */
  mostPerPage: 200,
  defaultPerPage: 100,
  shortestPrefix: 3,
  longestPrefix: 254,
  mostSearchResults: 50,
  defaultSearchResults: 20,
  maxReasonLength: 200,
  maxUrlLength: 2_000,
  maxDescriptionLength: 200,
  mostWebhooks: 20,
  /** LANDING shows one row for each. */
  mostOidcProviders: 20,
  maxProviderNameLength: 60,
  /** Characters of a client id, and of a client secret. */
  maxProviderFieldLength: 1_024,
  defaultOverlapSeconds: 86_400,
  longestOverlapSeconds: 7 * 86_400,
  /** Ids in one call that sends deliveries again. */
  mostReplayIds: 100,
  /** Attempts of a delivery that one call returns. */
  mostAttempts: 50,
  /** Deliveries that one call sends again. */
  mostReplayed: 5_000,
  /** Each part of the metadata of a user, as JSON. */
  maxMetadataBytes: 4_096,
  /** The metadata in a host token, as JSON. */
  maxTokenMetadataBytes: 1_024,
  /** Expected accounts of a user without a login. */
  mostExpectedAccounts: 10,
  maxExternalIdLength: 200,
  /** A part of an import, as it is sent and after it is inflated. */
  maxPartBytes: 64 * 1_048_576,
  mostParts: 200,
  maxRecordBytes: 65_536,
  /** Imports of an app that are not finished. */
  mostOpenImports: 2,
  maxSettingPathLength: 100,
  /** Entries that one call adds to the allowlist, and that it removes. */
  mostAllowlistChanges: 100,
  /** The longest period of statistics by hour, and by day. */
  longestHourlyDays: 7,
  longestDailyDays: 92,
  /** The waiting time of an approved proposal. */
  proposalWaitSeconds: 86_400,
  /** How long a proposal can be approved, and how long an approved one can be applied after its waiting time. */
  proposalOpenSeconds: 7 * 86_400,
  mostOpenProposals: 20,
  /** How long the request of one operator to remove verification methods waits for another one. */
  factorResetSeconds: 86_400,
  /** Characters of the subject and of the heading of a message. */
  longestMessageLine: 120,
  mostMessageBlocks: 6,
  longestMessageBlock: 500,
  /** A text message has room for our sentences too. */
  mostSmsBlocks: 2,
  longestSmsBlock: 160,
  /** Test messages of one app. */
  testMessagesPerHour: 10,
  idempotencySeconds: 86_400,
  callsPerMinute: 1_200,
} as const
