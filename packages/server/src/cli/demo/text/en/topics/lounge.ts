import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

/** For everything that has no place of its own. */
export const lounge: Topic = {
  key: 'lounge',
  language: 'en',
  lists: {
    field: ['everyday life'],
    thing: words(
      `small talk, rainy Sundays, local history, houseplants, bird watching, night shifts, neighbours, second-hand shops, handwritten letters, crosswords, flea markets, volunteering, cats, old radios, train journeys, knitting, trivia nights, local elections, public libraries, new year’s resolutions`,
    ),
    gear: words(
      `thermos, bird feeder, typewriter, raincoat, record player, pair of binoculars, jigsaw puzzle, hammock, fountain pen, hot-water bottle, bread bin, tea pot, wool blanket, garden bench`,
    ),
    problem: words(
      `a cold that will not go, the washing machine, a leaking tap, too many tabs, the printer, insomnia, noisy neighbours, lost keys, slow trains, mosquitoes, junk mail, a flat battery, spam calls`,
    ),
    doing: words(
      `tidying one drawer a day, writing postcards, walking at lunch, repairing instead of buying, learning names of birds, baking for the neighbours, going to bed early, doing nothing on purpose, volunteering at the food bank, drawing badly, getting to know the street`,
    ),
    did: words(
      `repaired the toaster, wrote ten postcards, met all of my neighbours, gave away half of my books, found a note in a second-hand coat, adopted a cat, learnt to whistle, spent a day offline, swam in the lake before work, called an old friend, won the pub quiz by one point, got locked out in my slippers`,
    ),
    where: words(
      `on the fourth floor, in a village, in a new town, at the kitchen table, on the night shift, in the waiting room, on the last bus, in the stairwell, at the allotment, in the library`,
    ),
    goal: words(
      `sleep better, meet people in a new town, keep a plant alive, remember names, read the paper less, get up earlier, make small talk, spend less time on the phone, cheer somebody up, keep a diary, say no, drink more water`,
    ),
  },
  cases: [
    {
      titles: lines(`
        New in {city}: how do you meet people?
        Moved to {city}, know nobody
        Making friends at {k=24-65}`),
      story: lines(`
        I moved to {city} {span} ago, for work. Colleagues are nice and go home at five. I am {k=24-65}, [single|here with my partner], and the weekends are long.
        At {k=24-65} I find it harder than at school: everybody has friends already, and a calendar.`),
      ask: lines(`
        How did you do it?
        Is there anything going on in {city}?`),
      answers: lines(`
        A choir. No joke, you sit next to the same people each week and do not have to talk at first.
        Volunteer somewhere. You meet the nice ones.
        I am in {city} too. {Day*}, {venue*}, {hour*}? I will be the one with the {gear*}.
        Same place, same time, every week. People become friends by repetition.
        Say yes to everything for three months. Then choose.
        It took me a year. Then all came at once. Hang in there.`),
    },
    {
      titles: lines(`
        Cannot sleep: what helps?
        Awake at {k=2-4} in the morning, again
        Insomnia, {span} now`),
      story: lines(`
        I fall asleep at once and am awake at {k=2-4}, thinking about [work|nothing|the tax return]. At six I could sleep again. {Span} of that now.
        No coffee after noon, no screen in bed, and still: at {k=2-4} sharp my eyes are open.`),
      ask: lines(`
        What helped you?
        Get up or stay in bed?`),
      answers: lines(`
        Get up, read something boring in a dim light, go back when you yawn. Staying in bed teaches your bed to be awake.
        I listen to the shipping forecast. Never heard the end of it.
        A note pad next to the bed. What is written down need not be thought.
        Cooler room! 16 degrees and a good blanket.
        Do not look at the clock. I turned mine to the wall, and it helped.
        If it goes on, see a doctor. With me it was the thyroid.`),
    },
    {
      titles: lines(`
        Neighbour’s [dog|music|drill], {k=2-5} floors up
        How do you tell a neighbour nicely?
        Noise in the house – talk or write?`),
      story: lines(`
        Every [evening|morning] between {hour} and bedtime: [bass|a drill|barking], {k=2-5} floors up. I do not want to be *that* neighbour.
        We have lived here for {span}, quietly. Since the new ones moved in, {k=2-5} floors up, the ceiling lamp dances.`),
      ask: lines(`
        Knock, letter, landlord?
        What worked for you?`),
      answers: lines(`
        Cake. Ring the bell with cake, say hello, mention it in passing. They had no idea.
        Never write. Letters sound angry even when they are not.
        Ask them to come down and listen. Mine went white and bought a carpet.
        Felt under chair legs, I bought it for them. Eight euros for my peace.
        Between ten and six call a mediator before you call the landlord.`),
    },
    {
      titles: lines(`
        What do you do against {problem}?
        {Problem}: your best household trick?
        Silly question about {problem}`),
      story: lines(`
        It is not important, but it annoys me every single day: {problem}. {Buddy*} laughs at me.
        {Time*} again: {problem}. There must be a trick that everybody knows except for me.`),
      ask: lines(`
        Any tricks?
        How do you cope?`),
      answers: lines(`
        Vinegar. The answer to everything in my house is vinegar.
        Turn it off, count to ten, turn it on. Works with people, too.
        Ask the oldest person in the house. They know.
        I gave up and bought {a gear*}. Unrelated, but I feel better.
        Same here! I thought I was the only one.
        A repair café. They fixed mine in ten minutes and gave me {drink*}.`),
    },
  ],
  shows: lines(`
    It took one afternoon, {2-5} phone calls and a screwdriver that was not mine.
    Nobody will believe me, but there are witnesses.
    I had forgotten how good that feels.
    {3-12} people answered the door, two invited me in, and one gave me jam.
    I was nervous for no reason at all.
    It cost {1-9} euros and made my week.
    The cat was not impressed. Nobody else has complained.
    I am still smiling, and it has been {2-8} hours.`),
  details: lines(`
    It has been on my list for {span*}.
    The weather helped: [rain|fog|sun] all day.
    I am {25-71}, so it was about time.
    My {gear} played a part in it, too.
    Somebody played the piano next door meanwhile.
    There was {drink*}, of course.
    I did not take a single photo, and I am glad.
    {Buddy*} shook their head.`),
  tips: lines(`
    Write the postcard today.
    Learn the names of your neighbours.
    Repair it before you replace it.
    Put the keys in the same place, always.
    Go to bed when you first think of it.
    Keep a list of small good things.
    Talk to the person next to you on the bench.
    Say thank you to bus drivers.
    Drink a glass of water before you decide anything.
    Leave the phone in another room.
    Open the window for five minutes, twice a day.
    Buy the good bread.
    Walk the last stop.`),
  opinions: lines(`
    Small talk is not small, it is how towns work.
    Sundays should be boring.
    Libraries are the best invention we have, and the cheapest.
    A letter that arrives late is still better than a message that arrives at once.
    Cats are flatmates, dogs are family, goldfish are furniture.
    Being early is a form of politeness that nobody thanks you for.
    Nobody needs forty news alerts a day.
    The best parties end in the kitchen.
    Umbrellas are public property.
    One should know at least one poem by heart.`),
  replies: lines(`
    That made my morning, thank you.
    Which town is that? Sounds lovely.
    My neighbour would say the same, only louder.
    We need more posts like this one.
    Greetings from {city*}, it is raining here.
    I have a {gear*} too! There must be dozens of us.
    Postcard people unite.
    You are braver than I am.
    And the cat?
    This is the most relaxing corner of the internet.
    I did the same {time*} and slept like a stone.
    Tea is ready, tell us more.`),
  polls: [
    { question: 'Tea or coffee?', options: ['Tea', 'Coffee', 'Both', 'Neither', 'Hot chocolate, thank you'] },
    { question: 'Early bird or night owl?', options: ['Up before six', 'Up before eight', 'Please not before nine', 'What day is it?'] },
    { question: 'How did you find this community?', options: ['A friend', 'Search', 'A link somewhere', 'I have always been here'] },
    { question: 'What shall we do for the next meet-up?', options: ['Picnic', 'Museum', 'Board games', 'A walk', 'An evening online'] },
  ],
  resources: [
    ['The street I live in', 'one hundred metres, forty people, beautifully told'],
    ['How to do nothing for an hour', 'instructions included'],
    ['Letters to strangers', 'a project with real stamps'],
    ['A field guide to small talk', 'funny and kind'],
    ['The repair café handbook', 'how to start one'],
    ['Listening to the neighbourhood', 'with a map of sounds'],
    ['Ordinary birds', 'the twenty you will really see'],
    ['Notes on queueing', 'an anthropologist waits in line'],
  ],
}
