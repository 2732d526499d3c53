import { list, type SampleWords } from './words.ts'

/** So many that twenty thousand people each have a name of their own. */
const englishNames = {
  firstNames: list(`
    Aaliyah, Adam, Adriana, Aisha, Alan, Alex, Alice, Amira, Amy, Anders, Andre, Angela, Anita,
    Anthony, Arjun, Ashley, Astrid, Beatriz, Ben, Bianca, Brian, Bruno, Callum, Camille, Carlos,
    Carmen, Charlotte, Chloe, Claire, Connor, Craig, Daniel, Daria, Deborah, Denis, Dev, Diana,
    Diego, Dylan, Edith, Edward, Elena, Eliza, Elliot, Emma, Eric, Esther, Ethan, Eva, Farah,
    Fatima, Felix, Fiona, Florence, Francis, Freya, Gareth, George, Georgia, Gloria, Grace,
    Graham, Hamza, Hana, Hannah, Harriet, Harry, Hassan, Hazel, Heather, Helen, Henry, Holly,
    Hugo, Ibrahim, Ida, Imran, Ines, Irene, Isaac, Isabel, Ivan, Ivy, Jack, Jade, Jamal, James,
    Jasmine, Jean, Joanna, Jonas, Joseph, Joyce, Julia, Karen, Kate, Keith, Kofi, Lara, Laura,
    Leo, Leon, Lewis, Liam, Linda, Louise, Lucas, Lucy, Luis, Lydia, Malik, Marcus, Maria, Marta,
    Mateo, Maya, Mei, Michael, Molly, Monica, Nadia, Naomi, Nathan, Nils, Noah, Nora, Olga,
    Oliver, Oscar, Patrick, Paula, Peter, Petra, Philip, Priya, Rachel, Rafael, Rahul, Rebecca,
    Rosa, Rosie, Ruth, Ryan, Samir, Sandra, Sara, Sean, Simon, Sofia, Sophie, Stefan, Stella,
    Susan, Tara, Theo, Thomas, Tomás, Ugo, Valerie, Vera, Victor, Vivian, Wanda, Wei, William,
    Yara, Yasmin, Yusuf, Zainab, Zoë`),
  lastNames: list(`
    Abbott, Adeyemi, Ahmed, Ali, Allen, Andersen, Atkinson, Bailey, Baker, Banerjee, Barker,
    Barnes, Bauer, Begum, Bell, Bennett, Berg, Bianchi, Black, Booth, Bradley, Brooks, Brown,
    Burke, Burton, Butler, Campbell, Carr, Carter, Çelik, Chambers, Chapman, Chen, Clarke, Cole,
    Collins, Cook, Cooper, Costa, Cox, Crawford, Cruz, Cunningham, Dale, Davies, Dawson, Dean,
    Diaz, Dixon, Douglas, Doyle, Dubois, Dunn, Dupont, Edwards, Elliott, Ellis, Eriksen, Evans,
    Farrell, Ferrari, Fisher, Fleming, Fletcher, Foster, Fowler, Fox, Francis, Fraser, Gallagher,
    García, Gardner, Gibson, Gill, Gordon, Graham, Grant, Gray, Green, Griffiths, Gupta, Hall,
    Hamilton, Hansen, Harper, Harris, Harrison, Hart, Harvey, Hayes, Henderson, Hill, Holmes,
    Hopkins, Horvat, Howard, Hudson, Hughes, Hunter, Hussain, Ito, Ivanova, Jackson, Jansen,
    Jenkins, Jensen, Johnson, Jones, Jordan, Kaur, Kelly, Kennedy, Khan, King, Knight, Kowalski,
    Kumar, Larsen, Lawrence, Lawson, Lee, Lewis, Lindqvist, Lopez, Lowe, MacLeod, Marsh, Marshall,
    Martins, Mason, Matthews, May, Mehta, Mensah, Miller, Mills, Mitchell, Moore, Morales, Moretti,
    Morgan, Morris, Mukherjee, Murphy, Murray, Nakamura, Newman, Nguyen, Nielsen, Novák, Nowak,
    O’Brien, O’Connor, Okafor, Oliveira, Osei, Owen, Palmer, Park, Parker, Patel, Pearce, Pereira,
    Perry, Phillips, Popescu, Porter, Powell, Price, Quinn, Ramos, Reid, Reynolds, Richards,
    Riley, Rivera, Roberts, Robertson, Rogers, Romano, Rose, Ross, Rossi, Russell, Ryan, Santos,
    Saunders, Schmidt, Scott, Sharma, Shaw, Silva, Simpson, Singh, Sokolov, Søndergaard, Spencer,
    Stevens, Stewart, Stone, Sullivan, Sutton, Suzuki, Tanaka, Taylor, Thomson, Torres, Tóth,
    Turner, Vargas, Walker, Walsh, Ward, Watson, Watts, Webb, Wells, West, White, Williams,
    Wilson, Wong, Wood, Wright, Yates, Young, Zhang`),
} as const

/** English. */
export const englishWords: SampleWords = {
  ...englishNames,
  fields: [
    {
      name: 'engineering',
      positions: list(
        `Software engineer, Data analyst, Quality engineer, Product owner, System administrator, Designer`,
      ),
    },
    {
      name: 'sales',
      positions: list(
        `Account manager, Sales representative, Sales assistant, Marketing specialist`,
      ),
    },
    { name: 'customer service', positions: list(`Customer advisor, Support agent, Trainer`) },
    {
      name: 'logistics',
      positions: list(`Logistics planner, Warehouse operative, Driver, Purchaser`),
    },
    { name: 'maintenance', positions: list(`Electrician, Technician, Mechanic, Facility manager`) },
    {
      name: 'administration',
      positions: list(`Accountant, Recruiter, Office manager, Payroll clerk, Project manager`),
    },
  ],
  leads: list(`Team lead, Head of department, Division manager, Director`),
  leaveTypes: {
    annual: 'Annual leave',
    sick: 'Sick leave',
    special: 'Special leave',
    training: 'Training',
    unpaid: 'Unpaid leave',
  },
  reasons: {
    appointment: list(`
      At the dentist, At the town hall, Blood donation, Medical check-up, Parents’ evening,
      The plumber comes, Handing over the flat`),
    errand: list(`
      School play, Garden and house, Football match, Birthday at home, Picking up the new bed,
      Grandparents are here, Early train, Tickets for the theatre`),
    shortBreak: list(`
      A long weekend, City trip, Visiting family, Festival, Cycling along the river, Choir trip,
      At the lake, A wedding in the family, Painting the kitchen, Camping with friends`),
    holiday: list(`
      Hiking in the mountains, At the seaside, Road trip, Visiting friends abroad, Sailing course,
      Holiday with the children, Home with the family, A house by the sea, Nothing planned,
      Cycling tour, A journey by train`),
    illness: list(`
      A cold, Migraine, Flu, Sprained ankle, Stomach bug, Back pain, Fever, Child is ill,
      Tonsillitis, After the dentist, Allergic reaction, Small surgery`),
    occasion: list(`Moving house, Own wedding, School enrolment, Jury duty, Exam, Silver wedding`),
    bereavement: list(`A funeral, Bereavement`),
    course: list(`
      First aid course, Conference, Language course, Certification exam, Leadership seminar,
      Safety training, Trade fair`),
    longAbsence: list(`Caring for a parent, A longer journey, Final thesis, Building the house`),
  },
  notes: list(`
    Stayed for the release, On-call, Customer visit, Workshop, From home, Train was late,
    Helped out in support, Handover, Stocktaking, Team day`),
  schedules: {
    sch_day: 'Day shift',
    sch_night: 'Night shift',
    sch_flex: 'Flexitime',
    sch_early: 'Early shift',
    sch_late: 'Late shift',
    sch_summer: 'Summer hours',
  },
  undertakings: list(`
    New website, Office move, Annual audit, Warehouse renewal, Customer portal, Energy report,
    Branch opening, Data migration, Fleet renewal, Maintenance, Rebranding, Safety inspection,
    Staff survey, Trade fair stand, Works outing`),
  customers: list(`
    Nordlicht GmbH, Atelier Dubois, Tervo Oy, Harbour & Sons, Casa Moretti, Blue Fern Ltd,
    Bakkerij Jansen, Kestrel Foods, Solveig AS, Marlow Hospital, Quay Street School, Ostrava Steel,
    Lagos Freight, Greenfield Farms, Vela Travel, Pinewood Theatre, Riverside Council,
    Orchid Hotels, Tern Software, Zephyr Air`),
  tasks: list(`
    Prepare the inspection, Review the contract, Train the new colleagues, Update the handbook,
    Visit the customer, Draft the offer, Collect feedback, Plan the kick-off, Order the material,
    Check the invoices, Write the minutes, Test the new version, Compare three suppliers,
    Clean up the address list, Set up the meeting room, Document the interfaces,
    Answer the open questions, Present the results, Estimate the effort, Sign off the design,
    Renew the permit, Translate the brochure, Book the travel, Measure the rooms,
    Brief the photographer, Archive the old files, Call back the customer, Replace the filters,
    Draw up the duty roster, Agree the delivery dates, Count the stock, Write the job advert,
    Approve the budget, Migrate the mailboxes, Repair the door sensor, Rehearse the demo,
    Publish the newsletter, Sort the complaints, Install the charging point, Close the accounts`),
  services: ['Consulting', 'Installation', 'Maintenance', 'Training', 'Project management'],
}
