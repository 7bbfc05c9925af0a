import * as v from 'valibot'

/** Where somebody signs in to iCloud. */
export const clientType = v.picklist(['web', 'expo-ios'])
