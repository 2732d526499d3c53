import type { LostLinkWords } from './lost-words.ts'

/** What is said in German to who has lost their link. */
export const deLost: LostLinkWords = {
  text: 'Niemand kann Ihren nachschlagen: Er ist ein Geheimnis, das nirgends aufbewahrt wird. Sie können aber einen neuen per Mail bekommen, an die Adresse, die Ihr Unternehmen von Ihnen hat.',
  label: 'Ihre Mailadresse im Unternehmen',
  action: 'Neuen Link per Mail schicken',
  answer: {
    heading: 'Sehen Sie in Ihre Mails',
    text: 'Wenn Ihr Unternehmen diese Adresse kennt und einen Kalender für Sie hat, ist ein neuer Link zu Ihnen unterwegs.',
    hint: 'Er sollte in wenigen Minuten da sein; sehen Sie auch unter den unerwünschten Mails nach. Kommt nichts, bitten Sie die Personalabteilung um einen neuen. Links, die Sie haben, gelten weiter; nur einer, der Ihnen zuvor auf diesem Weg geschickt wurde, endet, sobald Sie über den neuen abonniert haben.',
    back: 'Zurück',
  },
}
