const phone = /\b(?:Android|iPhone|iPad|iPod)\b/i

/** Also a tablet, where it says so. */
export const isPhone = (userAgent: string): boolean => phone.test(userAgent)

/** Facebook (also as Messenger), Instagram, Snapchat and LinkedIn, whose browsers say so in their user agent. */
const inAppBrowser = /\bFBA[NV]\/|\bFB_IAB\/|\bInstagram\b|\bSnapchat\b|\bLinkedInApp\b/i

/** Inside of an app there are no windows, and no other tabs. */
export const isInsideApp = (userAgent: string): boolean => inAppBrowser.test(userAgent)
