/** Tells handles, and whatever else waits for a person, that they did not wait for the dialog. */
export const refusedEvent = 'refused'
