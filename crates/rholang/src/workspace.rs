//! The programs of a workspace, and an index of their contracts by name and number of parameters.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use locant_text::{Offset, Range};

use crate::bind::{BinderId, BinderKind, Meaning};
use crate::call::Call;
use crate::program::{Contract, Program};

/// A set of programs. A name in one program can mean a contract of another.
#[derive(Debug, Default)]
pub struct Workspace {
    programs: BTreeMap<String, Program>,
    /// For each name, the contracts that other programs can mean by it.
    by_name: HashMap<Key, Vec<ContractAt>>,
    /// The same contracts by name and number of parameters. The number is `None` for contracts with a remainder.
    by_arity: HashMap<(Key, Option<usize>), Vec<ContractAt>>,
    /// For each name, the paths of the programs that mention it.
    mentioned: HashMap<Key, BTreeSet<String>>,
}

/// A name that means the same, or may mean the same, in several programs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// The name of a public channel, `@"name"`, which is the same channel everywhere.
    Public(Vec<u8>),
    /// A name that is not bound, or that `new` makes at the top of a program. It probably means the same in other
    /// programs.
    Bare(Vec<u8>),
}

/// A contract of one of the programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContractAt {
    pub(crate) path: String,
    /// The index of the contract in its program.
    pub(crate) contract: usize,
    /// Whether this contract is only probably the one that is meant.
    pub(crate) is_guess: bool,
}

/// What a mention means in the whole workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// The thing that a binder of the program binds.
    Bound(BinderId),
    /// The thing that a name without a binder in the program means.
    Keyed(Key),
    /// A name that is in scope in every method of an agent.
    Implicit,
}

/// A mention in one of the programs.
#[derive(Clone, Copy)]
pub(crate) struct At<'w> {
    pub(crate) path: &'w str,
    pub(crate) program: &'w Program,
    /// The index of the mention in its program.
    pub(crate) mention: usize,
}

impl Workspace {
    /// Adds a program, or gives it a new text.
    pub(crate) fn put(&mut self, path: &str, text: &[u8]) {
        if self.program(path).is_some_and(|program| program.text() == text) {
            return;
        }
        let program = match self.take(path) {
            Some(old) => old.reread(text),
            None => Program::new(text),
        };
        self.list(path, &program);
        self.programs.insert(path.to_owned(), program);
    }

    /// Removes a program, and returns it.
    pub(crate) fn take(&mut self, path: &str) -> Option<Program> {
        let program = self.programs.remove(path)?;
        // A program may have thousands of contracts with the same name. With the keys in a set, each list is searched
        // only once.
        let keyed = |contract: &Contract| Some((contract_key(&program, contract)?, arity(contract)));
        let keys: HashSet<(Key, Option<usize>)> = program.contracts.iter().filter_map(keyed).collect();
        for (key, arity) in keys {
            forget(&mut self.by_name, key.clone(), path);
            forget(&mut self.by_arity, (key, arity), path);
        }
        for key in program.bindings.mentions.iter().filter_map(|mention| key(&program, mention)) {
            let Some(paths) = self.mentioned.get_mut(&key) else { continue };
            paths.remove(path);
            if paths.is_empty() {
                self.mentioned.remove(&key);
            }
        }
        Some(program)
    }

    /// Adds the contracts and mentions of a program to the index.
    fn list(&mut self, path: &str, program: &Program) {
        for (number, contract) in program.contracts.iter().enumerate() {
            let Some(key) = contract_key(program, contract) else { continue };
            let is_bound = contract.name.is_some_and(|name| is_bound(program, name));
            let place = ContractAt { path: path.to_owned(), contract: number, is_guess: is_bound };
            self.by_name.entry(key.clone()).or_default().push(place.clone());
            self.by_arity.entry((key, arity(contract))).or_default().push(place);
        }
        for key in program.bindings.mentions.iter().filter_map(|mention| key(program, mention)) {
            self.mentioned.entry(key).or_default().insert(path.to_owned());
        }
    }

    pub(crate) fn program(&self, path: &str) -> Option<&Program> {
        self.programs.get(path)
    }

    pub(crate) fn programs(&self) -> impl Iterator<Item = (&str, &Program)> {
        self.programs.iter().map(|(path, program)| (path.as_str(), program))
    }

    /// The mention at a place of a program.
    pub(crate) fn at(&self, path: &str, at: Offset) -> Option<At<'_>> {
        let (path, program) = self.programs.get_key_value(path)?;
        Some(At { path, program, mention: program.mention_at(at)? })
    }

    /// All mentions that mean the same as this one, in the order of paths and places. Each comes with whether it is a
    /// guess.
    pub(crate) fn mentions(&self, at: At<'_>) -> Vec<(At<'_>, bool)> {
        let Some((path, program)) = self.programs.get_key_value(at.path) else { return Vec::new() };
        let meaning = at.program.mention(at.mention).meaning;
        let own = |mention| (At { path, program, mention }, program.mention(mention).is_guess);
        match thing(at) {
            Thing::Bound(_) => program.mentions_with(meaning).map(own).collect(),
            Thing::Implicit => own_named(at, meaning).map(own).collect(),
            Thing::Keyed(key) => self.keyed_mentions(at.path, &key),
        }
    }

    fn keyed_mentions(&self, own: &str, key: &Key) -> Vec<(At<'_>, bool)> {
        let mut found = Vec::new();
        for path in self.mentioned.get(key).into_iter().flatten() {
            locant_stop::check();
            let Some((path, program)) = self.programs.get_key_value(path) else { continue };
            let is_guess = matches!(key, Key::Bare(_)) && path != own;
            let mentions = program.bindings.mentions.iter().enumerate();
            let same = mentions.filter(|(_, mention)| self::key(program, mention).as_ref() == Some(key));
            found.extend(same.map(|(mention, _)| (At { path, program, mention }, is_guess)));
        }
        found
    }

    /// The contracts that a mention can mean. The name of a contract means that contract. The channel of a send means
    /// the contracts on this channel that can take the arguments. Any other mention means all contracts on its channel.
    /// Contracts of the same program come first.
    pub(crate) fn contracts(&self, at: At<'_>) -> Vec<ContractAt> {
        if let Some(contract) = at.program.contract_named(at.mention) {
            return vec![ContractAt { path: at.path.to_owned(), contract, is_guess: false }];
        }
        let call = Call::with_channel(at.program, at.program.mention(at.mention).node);
        self.contracts_for(at, call.as_ref())
    }

    /// The contracts on the channel of a mention that can take what a call sends. If there are none, all contracts with
    /// the right number of parameters. If there are none of these either, all contracts on the channel.
    pub(crate) fn contracts_for(&self, at: At<'_>, call: Option<&Call>) -> Vec<ContractAt> {
        let all = || self.contracts_on(at);
        let Some(call) = call else { return all() };
        let of_arity = self.with_arity(at, call.arity());
        let fits = |place: &&ContractAt| {
            let Some((program, contract)) = self.contract(place) else { return false };
            call.fits(at.program, program, contract)
        };
        let fitting: Vec<ContractAt> = of_arity.iter().filter(fits).cloned().collect();
        match (fitting.is_empty(), of_arity.is_empty()) {
            (false, _) => fitting,
            (true, false) => of_arity,
            (true, true) => all(),
        }
    }

    /// All contracts on the channel of a mention.
    pub(crate) fn contracts_on(&self, at: At<'_>) -> Vec<ContractAt> {
        match thing(at) {
            Thing::Bound(_) => own_contracts(at, |_| true),
            Thing::Keyed(key) => ranked(at.path, &key, self.by_name.get(&key).into_iter().flatten()),
            Thing::Implicit => Vec::new(),
        }
    }

    fn with_arity(&self, at: At<'_>, n_arguments: usize) -> Vec<ContractAt> {
        let Thing::Keyed(key) = thing(at) else {
            return own_contracts(at, |contract| contract.takes(n_arguments));
        };
        let exact = self.by_arity.get(&(key.clone(), Some(n_arguments))).into_iter().flatten();
        let open =
            self.by_arity.get(&(key.clone(), None)).into_iter().flatten().filter(|place| {
                self.contract(place).is_some_and(|(_, contract)| contract.takes(n_arguments))
            });
        ranked(at.path, &key, exact.chain(open))
    }

    /// The contract at a place.
    pub(crate) fn contract(&self, place: &ContractAt) -> Option<(&Program, &Contract)> {
        let program = self.programs.get(&place.path)?;
        Some((program, program.contracts.get(place.contract)?))
    }

    /// The range of a contract's name, and the range of the whole contract.
    pub(crate) fn contract_ranges(&self, place: &ContractAt) -> Option<(Range, Range)> {
        let (program, contract) = self.contract(place)?;
        let extent = program.syntax.range(contract.node);
        Some((contract.name.map_or(extent, |name| program.mention(name).range), extent))
    }
}

/// What a mention means.
pub(crate) fn thing(at: At<'_>) -> Thing {
    let mention = at.program.mention(at.mention);
    let name = || at.program.slice(mention.range).to_vec();
    match mention.meaning {
        Meaning::Bound(binder) => Thing::Bound(binder),
        Meaning::Implicit => Thing::Implicit,
        Meaning::Free => Thing::Keyed(Key::Bare(name())),
        Meaning::Public => Thing::Keyed(Key::Public(name())),
    }
}

/// The mentions in the same program that have this meaning and the same name.
fn own_named<'w>(at: At<'w>, meaning: Meaning) -> impl Iterator<Item = usize> + 'w {
    let name = at.program.slice(at.program.mention(at.mention).range);
    let is_same = move |&other: &usize| at.program.slice(at.program.mention(other).range) == name;
    at.program.mentions_with(meaning).filter(is_same)
}

/// The contracts of the same program on the channel that a mention is bound to.
fn own_contracts(at: At<'_>, fits: impl Fn(&Contract) -> bool) -> Vec<ContractAt> {
    let meaning = at.program.mention(at.mention).meaning;
    let is_on = |contract: &Contract| {
        contract.name.is_some_and(|name| at.program.mention(name).meaning == meaning) && fits(contract)
    };
    let numbered = at.program.contracts.iter().enumerate();
    let place = |contract| ContractAt { path: at.path.to_owned(), contract, is_guess: false };
    numbered.filter(|(_, contract)| is_on(contract)).map(|(number, _)| place(number)).collect()
}

/// Sorts contracts, with those of the program `own` first. If a bare name means a contract of another program, the
/// contract is only a guess. Guesses are left out if any contract is certain.
fn ranked<'p>(own: &str, key: &Key, places: impl Iterator<Item = &'p ContractAt>) -> Vec<ContractAt> {
    let is_bare = matches!(key, Key::Bare(_));
    let with_doubt = |place: &ContractAt| {
        let is_guess = place.is_guess || is_bare && place.path != own;
        ContractAt { is_guess, ..place.clone() }
    };
    let mut places: Vec<ContractAt> = places.map(with_doubt).collect();
    if places.iter().any(|place| !place.is_guess) {
        places.retain(|place| !place.is_guess);
    }
    places.sort_by(|a, b| (a.path != own, &a.path, a.contract).cmp(&(b.path != own, &b.path, b.contract)));
    places
}

fn is_bound(program: &Program, mention: usize) -> bool {
    matches!(program.mention(mention).meaning, Meaning::Bound(_))
}

/// The key of a mention that can mean something in other programs.
fn key(program: &Program, mention: &crate::bind::Mention) -> Option<Key> {
    let name = || program.slice(mention.range).to_vec();
    match mention.meaning {
        Meaning::Public => Some(Key::Public(name())),
        Meaning::Free => Some(Key::Bare(name())),
        Meaning::Bound(_) | Meaning::Implicit => None,
    }
}

/// The key of a contract that other programs can mean. A contract on a name that `new` makes at the top of its program
/// has a key too, because the name may be handed to other programs.
fn contract_key(program: &Program, contract: &Contract) -> Option<Key> {
    let mention = program.mention(contract.name?);
    match mention.meaning {
        Meaning::Bound(binder) => {
            let binder = &program.bindings.binders[binder as usize];
            let is_known = binder.kind == BinderKind::New && binder.is_at_top;
            is_known.then(|| Key::Bare(program.slice(mention.range).to_vec()))
        }
        _ => key(program, mention),
    }
}

fn arity(contract: &Contract) -> Option<usize> {
    (!contract.has_remainder).then_some(contract.formals.len())
}

fn forget<K: std::hash::Hash + Eq>(places: &mut HashMap<K, Vec<ContractAt>>, key: K, path: &str) {
    if let Some(list) = places.get_mut(&key) {
        list.retain(|place| place.path != path);
        if list.is_empty() {
            places.remove(&key);
        }
    }
}
