const START = 6
const END = 4

/** `0x71C7…976F`: enough to know an address by. Short texts stay whole. */
export const cutMiddle = (text: string) =>
  text.length <= START + END + 1 ? text : `${text.slice(0, START)}…${text.slice(-END)}`
