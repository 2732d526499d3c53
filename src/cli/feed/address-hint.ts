/** What the help says of the argument `<id>`. */
export const addressHint = `In place of the id an address of the feed can be given, such as one that leaked; but it then stands in the list of
processes and in the shell's history.`
