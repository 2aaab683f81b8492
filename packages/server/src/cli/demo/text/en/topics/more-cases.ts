import type { Case } from '../../types.ts'
import { lines } from '../../words.ts'

/** Further questions for the spaces that have most posts, by topic. */
export const moreCases: Record<string, Case[]> = {
  lounge: [
    {
      titles: lines(`
        What to give to someone who has everything?
        Present for a {k=30-80/10}th birthday, budget small
        Gift ideas for [my dad|my boss|a friend], turning {k=30-80/10}?`),
      story: lines(`
        [My dad|My best friend|Our neighbour] turns {k=30-80/10} on {day}, has everything and says “no presents, please”. I do not want to arrive with nothing.
        {k=30-80/10} years, a big party, and all I can think of is a voucher. Help.`),
      ask: lines(`
        What was the best present that you ever gave?
        Something that does not end up in a drawer?`),
      answers: lines(`
        Time. I gave twelve letters, one to open each month, each with a small thing to do together.
        Photos from {k=30-80/10} years ago, printed. You only have to ask the aunts.
        Something to eat up. Cheese offends nobody.
        A framed map of the place where it all began. Everyone was in tears.
        If they say no presents: believe them, and bring cake.
        Fix something for them that has been broken for years.`),
    },
    {
      titles: lines(`
        First flat of my own: what do I really need?
        Moving on {day} with {k=2-9} boxes
        What do you forget when you move house?`),
      story: lines(`
        On {day} I move into my first own flat, with {k=2-9} boxes and a mattress. Everyone offers me furniture, I have no idea what one needs.
        Third move in {k=2-9} years, and each time I forget something important. Last time it was the [light bulbs|internet|letter box key].`),
      ask: lines(`
        What belongs on the list?
        What could you do without?`),
      answers: lines(`
        A box with a label “first night”: toilet paper, kettle, charger, sheets, bread, a knife.
        Lamps. Nobody thinks of lamps, and it is dark at five.
        Photograph the meters and every scratch in the wall before you carry anything in.
        Ring the neighbours’ bells on the first weekend. It pays for years.
        Do not buy a sofa until you have lived there for a month.
        Curtains, or get dressed in the hall like me.`),
    },
    {
      titles: lines(`
        Our street party: {k=20-90/10} people, no plan
        How do you organise a street party?
        Bringing neighbours together – what works?`),
      story: lines(`
        We live in a street with {k=20-90/10} people who nod at each other. {Buddy*} and I would like to change that: one afternoon, tables outside, {drink*}.
        I said “somebody should organise something”, and now I am somebody. {k=20-90/10} people, a cul-de-sac, one afternoon.`),
      ask: lines(`
        What do we have to think of?
        How do you get the shy ones to come?`),
      answers: lines(`
        Handwritten notes in letter boxes, with a task for everyone: “could you bring chairs?” People come when they are needed.
        Ask the town about closing the street, six weeks ahead. It was free here.
        Name tags with house numbers. Best idea we had.
        Children’s flea market. The parents come by themselves.
        Two hours is enough. It will be six.
        Do not plan a programme. A long table is the programme.`),
    },
  ],
  gardening: [
    {
      titles: lines(`
        {Plant} flowers, but no fruit
        Plenty of flowers on my {plant}, nothing else
        Why does my {plant} drop its flowers?`),
      story: lines(`
        My {plant} plants are in full flower and look [great|like a picture], but the flowers drop off after {2-6} days and nothing follows. They stand {where}.
        {k=2-9} plants, hundreds of flowers, and so far exactly {0-2} fruits. It has been [hot|windy|rather cold at night] here.`),
      tried: lines(`
        I tap the stems each morning, as somebody advised.
        Fed with something “for leafy growth”, which may have been a mistake.`),
      ask: lines(`
        Is it the weather or the food?
        Do I have to pollinate by hand?`),
      answers: lines(`
        Too much nitrogen: all leaf, no fruit. Change to a feed with potash.
        Above 32 or below 12 degrees the pollen gives up. Wait, it comes back.
        No insects up there? A soft brush at noon does the job.
        The first flowers of many plants are all male. Give it a week.
        Irregular watering does that as well. Mulch, and water deeply every other day.`),
    },
    {
      titles: lines(`
        When and how hard to prune an old apple tree?
        Inherited: an apple tree that nobody has pruned for {k=5-25} years
        Afraid to cut my apple tree`),
      story: lines(`
        In our new garden stands an apple tree, not pruned for {k=5-25} years, a thicket with small scabby apples. Everyone says “be brave”, nobody says where to cut.
        I bought {a gear} and stood under the tree for an hour. {k=5-25} years of water shoots, some as thick as my arm.`),
      ask: lines(`
        All at once or over several years?
        Winter or summer?`),
      answers: lines(`
        Over three years, a third at a time. Cut it all at once and it answers with a forest of shoots.
        Dead, diseased, crossing. Do those three first, then sit down and look for a day.
        You should be able to throw a hat through it.
        Summer cuts calm a tree, winter cuts wake it up. For {k=5-25} years of thicket I would do most of it in summer.
        Ask the local orchard group, they came for {drink*} and did half of it with me.
        No stubs! Cut at the ring.`),
    },
    {
      titles: lines(`
        Houseplant problem: little flies everywhere
        Fungus gnats for {span}, and they win
        How do I get rid of the flies in my pots?`),
      story: lines(`
        Since I repotted {k=3-14} houseplants, tiny black flies rise up each time I water. They are in my tea. They are in my life.
        {k=3-14} pots on one windowsill, and a cloud of gnats. Guests are polite about it.`),
      tried: lines(`
        Yellow sticky cards: full within a day, as full the next.
        Cinnamon, matches in the soil, vinegar. My flat smells interesting.`),
      ask: lines(`
        What helps for good?
        Is it the compost?`),
      answers: lines(`
        Let the top three centimetres dry out completely, for weeks. The larvae need it moist.
        Nematodes, by post, watered in. Two rounds and it was over.
        A layer of sharp sand on top, one finger deep.
        Water from below and pour away the rest after half an hour.
        It was the compost, mine came out of the bag with them. I heat it in the oven now, do not tell anyone.`),
    },
  ],
  typescript: [
    {
      titles: lines(`
        Moving {k=20-200/10} files to ES modules – order?
        CommonJS to ES modules: what did you stumble over?
        “Cannot use import statement outside a module”, the sequel`),
      story: lines(`
        We have {k=20-200/10} files in CommonJS, a few dynamic requires, and tests that mock modules by path. We would like to move to ES modules [before the summer|without stopping everything].
        Half of our dependencies are ES-only by now, so we have to. {k=20-200/10} files, {2-7} people, no big freeze possible.`),
      ask: lines(`
        All at once or package by package?
        What broke in a way that you did not expect?`),
      answers: lines(`
        Add the file extensions to all imports first, that alone is 90 % of the diff and can be merged on its own.
        \`__dirname\`. It was everywhere.
        Mocking by path is the painful part. We passed dependencies as arguments instead and never looked back.
        Recent Node can require ES modules, so you can go leaf by leaf.
        All at once on a quiet {day*}. {k=20-200/10} files are a codemod and a pot of coffee.
        JSON imports need an attribute now, the error message is not helpful.`),
    },
    {
      titles: lines(`
        \`any\` in {k=40-400/20} places: where do I start?
        Legacy code full of any
        How do you get rid of any without stopping the team?`),
      story: lines(`
        The linter counts {k=40-400/20} uses of any, most of them at the edges: requests, events, a home-made ORM. The team is willing, time is not there.
        I inherited a code base with {k=40-400/20} anys and a comment “// types come later” from {2017-2021}.`),
      ask: lines(`
        From the edges in or from the core out?
        unknown, generics or real types?`),
      answers: lines(`
        Freeze the number in CI: it may go down, never up. After that it melts by itself.
        Edges first. Replace any with unknown where data comes in, and the compiler leads you.
        The ORM! One generic there, and half of the {k=40-400/20} were gone in our case.
        Do it where you work anyway. A campaign dies after two weeks.
        Some of them are fine. Write down why, with a lint exception, and move on.`),
    },
    {
      titles: lines(`
        How do you type dates and money?
        Dates as strings, numbers or Date?
        A bug with time zones, number {k=2-9}`),
      story: lines(`
        Bug number {k=2-9} this year because somebody passed a local date where a UTC one was meant. Both are \`string\`. I would like the compiler to know.
        Our API sends dates as text, the form wants a Date, the database has its own opinion. {k=2-9} conversions, each with its own little mistake.`),
      ask: lines(`
        One type for all, or one per meaning?
        Where do you convert?`),
      answers: lines(`
        An instant and a calendar day are two different things. Two types, no implicit way from one to the other.
        Text on the wire, converted once at the edge, nowhere else.
        Branded strings: \`UtcDateTime\`, \`LocalDate\`. Cheap, and a function with the wrong one does not compile.
        Temporal, finally. We switched {span*} ago and the whole class of bugs is gone.
        Money as integer cents, always. That part is easy at least.`),
    },
  ],
  photography: [
    {
      titles: lines(`
        One lens for {k=2-4} weeks of travel?
        Packing for {k=2-4} weeks: zoom or prime?
        Travelling light with a camera`),
      story: lines(`
        {k=2-4} weeks by train, one small bag. I own a {24-28} mm, a 50 and a heavy zoom. I want to come home with pictures and not with a sore shoulder.
        On my last trip I carried {3-5} kilos of kit and used one lens. This time, {k=2-4} weeks, I would like to be cleverer.`),
      ask: lines(`
        What do you take?
        What do you never miss?`),
      answers: lines(`
        35 and nothing else. By day three you stop thinking about what you have not got.
        The zoom. I know it is not fashionable, but I travel to see things and not to change lenses.
        Two bodies is madness, two batteries is wisdom.
        A tiny tripod weighs 200 grams and gives you the nights.
        Leave the laptop at home. Looking at the pictures {k=2-4} weeks later is half of the joy.`),
    },
    {
      titles: lines(`
        Photographing a friend’s wedding – say yes?
        Asked to shoot a wedding with {k=40-120/10} guests
        First wedding, no second chance`),
      story: lines(`
        A friend gets married and has asked me to take the pictures, {k=40-120/10} guests, a dark church, a garden afterwards. No money, lots of trust. I have one body and {a gear}.
        “You have a good camera, would you…” I said yes before I thought. {k=40-120/10} guests, in {3-9} weeks.`),
      ask: lines(`
        What must not go wrong?
        Which pictures do they really want?`),
      answers: lines(`
        Borrow a second body. Something always fails, and it will be at the ring.
        Ask for a list of the five group pictures they cannot live without. Do those first, then forget about groups.
        Visit the church at the same hour a week before.
        Grandparents. Nobody photographs them and everyone wants it later.
        Two cards, written at once, or change them every hour.
        Be a guest for the last two hours. You are a friend, after all.`),
    },
    {
      titles: lines(`
        How do I photograph in fog?
        Snow comes out grey: exposure?
        Meter says one thing, the picture another`),
      story: lines(`
        Snow, fog and white walls: everything I shoot in such light comes out as grey soup. {Where}, lately. The meter claims that all is fine.
        {Time*} the fog was perfect, I took {30-120/10} pictures, and all of them look like a dirty window.`),
      ask: lines(`
        By how much do you overexpose?
        Is that fixed later or in the camera?`),
      answers: lines(`
        One to one and a half stops over. The meter wants everything to be middle grey, snow is not.
        Look at the histogram: a lump on the right, not touching the edge. Done.
        Fog needs something dark in front. Without an anchor it is only soup.
        Raise the whites later, leave the blacks where they are, and fog stays fog.
        Meter on your hand and open up by a stop. Old trick, works with gloves off.`),
    },
  ],
  cooking: [
    {
      titles: lines(`
        Twelve lemons, {k=2-5} kilos of courgettes: ideas?
        What do I do with {k=2-5} kilos of plums?
        Glut! {k=2-5} kilos of tomatoes by {day}`),
      story: lines(`
        {Buddy*} has a garden and no mercy. On my table: {k=2-5} kilos, ripe, today. I have three jars and {where*} is where I cook.
        It was a bargain: {k=2-5} kilos, slightly bruised. Now I have until {day} at most.`),
      ask: lines(`
        What keeps?
        Something that is not jam, please?`),
      answers: lines(`
        Slow in the oven at 110 degrees with oil and salt, then into the freezer. Best thing you will have in winter.
        Chutney. It forgives everything, even you.
        Grate, salt, squeeze, fritters. {k=2-5} kilos are two evenings.
        Give half of it away at work, with a recipe on a slip of paper.
        Ferment it: two per cent salt, a jar, a weight, wait.
        Soup base without water, in ice cube trays.`),
    },
    {
      titles: lines(`
        Which knife do I really need?
        One good knife for {k=40-150/10} euros?
        Sharpening: stone, steel or a shop?`),
      story: lines(`
        I cook every day with a blunt thing from a supermarket. Now I would like one decent knife, up to {k=40-150/10}. Hands are [small|large], and I am [left-handed|not careful].
        The knife block has seven knives, and I use one. It is blunt. For {k=40-150/10} I could replace it or have it sharpened for ever.`),
      ask: lines(`
        What would you buy?
        How do you keep it sharp?`),
      answers: lines(`
        Hold it in your hand before you buy. The right one feels like nothing.
        20 cm chef’s knife and a small paring knife. That is the whole list.
        A {k=40-150/10} euro knife and no stone is a blunt knife in six months. Half for the knife, half for the stone.
        Not in the dishwasher. Not in the drawer. That is 80 % of sharp.
        Carbon steel if you wipe it, stainless if you live with people.
        Ten strokes on the steel each Sunday, stone twice a year.`),
    },
    {
      titles: lines(`
        Cooking for one without waste
        Alone for {span}: I live on toast
        Small portions, big vegetables`),
      story: lines(`
        I live alone now, and every recipe serves four. A cabbage lasts for {k=5-14} days, and I cannot see it any more.
        Cooking for one feels silly, so I eat toast. Yesterday I threw away half a bunch of everything, again, after {k=5-14} days.`),
      ask: lines(`
        How do you do it?
        What keeps you going?`),
      answers: lines(`
        Cook for four, freeze three, label them. On bad days you have the best cook in town: yourself.
        Set the table. It takes a minute and changes the evening.
        One vegetable, three dishes: roast on Monday, soup on Tuesday, omelette on Wednesday.
        Eggs, always eggs.
        Swap boxes with a neighbour who lives alone as well. We do it on {day*}s.
        Herbs in ice cubes, bread sliced and frozen, cabbage in quarters. It is a sport.`),
    },
  ],
  running: [
    {
      titles: lines(`
        Which shoes after {k=300-900/50} km?
        Shoes dead at {k=300-900/50} km – normal?
        Can anyone explain shoe shopping to me?`),
      story: lines(`
        My shoes have {k=300-900/50} km on them and feel like slippers. In the shop they filmed my feet, said three words that I did not understand, and showed me a pair for {120-190/10}.
        After {k=300-900/50} km the sole is smooth and my knees speak up. The same model no longer exists, of course.`),
      ask: lines(`
        How do you choose?
        Does the price mean anything?`),
      answers: lines(`
        Comfort in the first minute. Studies say the same, it is the only thing that predicts anything.
        Last year’s model, half the price, same shoe.
        Two different pairs in turns. Mine last for ever that way, and so do my calves.
        {k=300-900/50} km is fair. I look at the side: when it leans, it goes.
        Forget the video. Run round the block in them, any good shop lets you.
        A thumb’s width in front, in the afternoon, with your own socks.`),
    },
    {
      titles: lines(`
        Running in {k=28-36} degrees – sense or nonsense?
        Summer is killing my pace
        How do you train in the heat?`),
      story: lines(`
        {k=28-36} degrees for {5-20} days, and my easy pace is a minute slower. The plan does not care, {race} does not care, my head does.
        I run at six in the morning and it is already warm. At {k=28-36} in the evening I gave up after {3-6} km.`),
      ask: lines(`
        Skip the hard sessions?
        How much do you drink?`),
      answers: lines(`
        By effort and not by pace. Put tape over the watch until it is cool again.
        It takes about ten days to adapt. Short and slow, every day, then it clicks.
        Wet cap, wet shirt, shade. I plan routes by fountains now.
        Intervals on the treadmill, long run at five, everything else by feel.
        In autumn you will fly. Heat is the poor man’s altitude.
        Above {k=28-36} I swim. No medals are given out for heat stroke.`),
    },
    {
      titles: lines(`
        Motivation gone for {span}
        Plan says run, sofa says no
        How do you get out of the door?`),
      story: lines(`
        After {race} I fell into a hole. {k=3-9} weeks now, shoes by the door, excuses in good shape.
        I used to love it. For {k=3-9} weeks each run has been an item on a list.`),
      ask: lines(`
        Pause or push?
        What brought the fun back?`),
      answers: lines(`
        Pause. After a big goal the tank is empty, that is allowed.
        Ten minutes. If it is still awful you may go home. I have gone home twice in four years.
        Run with somebody slower than you. Talking does the rest.
        No watch, new direction, turn left where you always turn right.
        Sign up for something silly. I did a relay in costume and remembered why I like it.
        {k=3-9} weeks are nothing. It comes back when you stop asking it to.`),
    },
  ],
}
