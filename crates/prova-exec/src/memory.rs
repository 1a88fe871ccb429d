//! Flat byte memory in pages, with a bit per byte that says whether a live object lies there.
//!
//! An access is checked by one look at the page's bitmap: it is fine exactly if every byte of it
//! belongs to a live object. Pages are made when first touched, from the table of live objects,
//! so that a huge array costs what is used of it.

use crate::test::{Policy, Test};
use prova_ir::DataModel;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

const PAGE_BITS: u32 = 12;
/// Bytes of a page.
pub const PAGE: usize = 1 << PAGE_BITS;
const CACHE: usize = 64;
const NO_PAGE: u64 = u64::MAX;

#[derive(Clone)]
struct Page {
    /// Eight bytes more than a page, so that a word can be read anywhere.
    data: [u8; PAGE + 8],
    /// Bytes that belong to a live object.
    live: [u64; PAGE / 64],
    /// Bytes that may be written.
    writable: [u64; PAGE / 64],
}

/// What sort of thing a live range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiveKind {
    /// A global or a literal: zero at first.
    Static,
    /// Declared elsewhere: arbitrary at first.
    External,
    /// A frame object.
    Frame,
    /// Allocated until freed.
    Heap,
    /// Allocated until the activation ends.
    Stack,
}

/// A live range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Live {
    /// Bytes.
    pub size: u64,
    /// Whether it may be written.
    pub writable: bool,
    /// What it is.
    pub kind: LiveKind,
}

/// Why an access failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No live object lies there.
    Invalid,
    /// It is constant.
    Constant,
    /// The limit on memory is reached.
    Limit,
}

/// All that memory holds at some time, dead bytes too.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Image {
    pages: Vec<(u64, Vec<u64>)>,
    objects: Vec<(u64, Live)>,
    cells: Vec<(u64, u8)>,
}

/// The memory of a run.
pub struct Memory {
    pages: Vec<Box<Page>>,
    index: FxHashMap<u64, u32>,
    cache: [(u64, u32); CACHE],
    objects: BTreeMap<u64, Live>,
    zone: Range<u64>,
    /// Sizes of the accesses that gave cells of the zone their type.
    zone_cells: FxHashMap<u64, u8>,
    space: u64,
    policy: Policy,
    model: DataModel,
    contents: BTreeMap<u64, u8>,
    limit: usize,
    /// What lay where something began or ended since [`Memory::origin`], the newest last.
    changes: Option<Vec<(u64, Option<Live>)>>,
}

/// Memory as it was at some time, to go back to.
pub struct Origin {
    pages: Vec<Box<Page>>,
    index: FxHashMap<u64, u32>,
}

#[inline(always)]
fn low_bytes(n: u64) -> u64 {
    u64::MAX >> (64 - 8 * n)
}

impl Memory {
    /// Empty memory; arbitrary contents come from the test. At most `limit` bytes of pages.
    pub fn new(model: DataModel, test: &Test, limit: usize) -> Self {
        Self {
            pages: Vec::new(),
            index: FxHashMap::default(),
            cache: [(NO_PAGE, 0); CACHE],
            objects: BTreeMap::new(),
            zone: crate::layout::unknown_zone(model),
            zone_cells: FxHashMap::default(),
            space: u64::MAX >> (64 - model.pointer_bits()),
            policy: test.rest,
            model,
            contents: test.contents.clone(),
            limit: limit / std::mem::size_of::<Page>(),
            changes: None,
        }
    }

    /// Keeps how memory is now; from here on, what begins and ends is noted.
    pub fn origin(&mut self) -> Origin {
        self.changes = Some(Vec::new());
        Origin {
            pages: self.pages.clone(),
            index: self.index.clone(),
        }
    }

    /// Goes back, with other first contents where no static object lies.
    pub fn go_back(&mut self, origin: &Origin, contents: &BTreeMap<u64, u8>) {
        while let Some((base, before)) = self.changes.as_mut().and_then(Vec::pop) {
            match before {
                Some(live) => drop(self.objects.insert(base, live)),
                None => drop(self.objects.remove(&base)),
            }
        }
        self.pages.truncate(origin.pages.len());
        for (page, first) in self.pages.iter_mut().zip(&origin.pages) {
            page.clone_from(first);
        }
        self.index.clone_from(&origin.index);
        self.cache = [(NO_PAGE, 0); CACHE];
        self.zone_cells.clear();
        self.contents.clone_from(contents);
        for (&address, &byte) in contents {
            let made = self.index.get(&(address >> PAGE_BITS)).copied();
            let object = self.object_at(address);
            let fixed = object.is_some_and(|(_, live)| live.kind == LiveKind::Static);
            if let (Some(index), false) = (made, fixed) {
                self.pages[index as usize].data[(address & (PAGE as u64 - 1)) as usize] = byte;
            }
        }
    }

    /// How many bytes the pages take.
    pub fn used(&self) -> usize {
        self.pages.len() * std::mem::size_of::<Page>()
    }

    /// First addresses of the pages of the unknown zone that were touched, by increasing address.
    pub fn zone_pages(&self) -> Vec<u64> {
        let starts = self.index.keys().map(|number| number << PAGE_BITS);
        let mut found: Vec<u64> = starts.filter(|a| self.zone.contains(a)).collect();
        found.sort_unstable();
        found
    }

    /// The live object that holds this address, if any.
    pub fn object_at(&self, address: u64) -> Option<(u64, Live)> {
        let (&base, &live) = self.objects.range(..=address).next_back()?;
        (address - base < live.size).then_some((base, live))
    }

    /// The live object with exactly this base.
    pub fn object(&self, base: u64) -> Option<Live> {
        self.objects.get(&base).copied()
    }

    /// Makes a range live.
    pub fn add(&mut self, base: u64, live: Live) {
        let before = self.objects.insert(base, live);
        self.changes.iter_mut().for_each(|c| c.push((base, before)));
        self.mark(base, live.size, true, live.writable);
    }

    /// Ends the life of the object with this base.
    pub fn remove(&mut self, base: u64) {
        if let Some(live) = self.objects.remove(&base) {
            let before = Some(live);
            self.changes.iter_mut().for_each(|c| c.push((base, before)));
            self.mark(base, live.size, false, false);
        }
    }

    fn mark(&mut self, base: u64, size: u64, live: bool, writable: bool) {
        if size == 0 {
            return;
        }
        let (first, last) = (base >> PAGE_BITS, (base + (size - 1)) >> PAGE_BITS);
        let mut mark = |number: u64, index: u32| {
            let start = number << PAGE_BITS;
            let from = base.max(start) - start;
            let to = (base + (size - 1)).min(start + (PAGE as u64 - 1)) - start;
            let page = &mut self.pages[index as usize];
            set_bits(&mut page.live, from as usize, to as usize, live);
            set_bits(&mut page.writable, from as usize, to as usize, writable);
        };
        if last - first < self.index.len() as u64 {
            for number in first..=last {
                if let Some(&index) = self.index.get(&number) {
                    mark(number, index);
                }
            }
        } else {
            for (&number, &index) in self
                .index
                .iter()
                .filter(|(n, _)| (first..=last).contains(n))
            {
                mark(number, index);
            }
        }
    }

    /// The page's index; makes it if something lives there.
    #[inline(always)]
    fn page(&mut self, number: u64) -> Result<usize, Fault> {
        let (cached, index) = self.cache[number as usize % CACHE];
        if cached == number {
            return Ok(index as usize);
        }
        self.find_page(number)
    }

    #[cold]
    #[inline(never)]
    fn find_page(&mut self, number: u64) -> Result<usize, Fault> {
        let index = match self.index.get(&number) {
            Some(&index) => index,
            None => self.make_page(number)?,
        };
        self.cache[number as usize % CACHE] = (number, index);
        Ok(index as usize)
    }

    fn make_page(&mut self, number: u64) -> Result<u32, Fault> {
        let start = number << PAGE_BITS;
        let end = start + (PAGE as u64 - 1);
        if start > self.space {
            return Err(Fault::Invalid);
        }
        let in_zone = start >= self.zone.start && end < self.zone.end;
        let before = self.objects.range(..start).next_back();
        let overlapping: Vec<(u64, Live)> = before
            .into_iter()
            .chain(self.objects.range(start..=end))
            .filter(|(&base, live)| live.size > 0 && base + (live.size - 1) >= start)
            .map(|(&base, &live)| (base, live))
            .collect();
        if overlapping.is_empty() && !in_zone {
            return Err(Fault::Invalid);
        }
        if self.pages.len() >= self.limit {
            return Err(Fault::Limit);
        }
        // Nothing in the zone counts as live, so that its accesses take the slow way and are
        // checked by `enter_zone`.
        let mut page = Box::new(Page {
            data: [0; PAGE + 8],
            live: [0; PAGE / 64],
            writable: [0; PAGE / 64],
        });
        if self.policy != Policy::Zero {
            for offset in 0..PAGE {
                page.data[offset] = self.policy.byte(0, start + offset as u64, self.model);
            }
        }
        for (&address, &byte) in self.contents.range(start..=end) {
            page.data[(address - start) as usize] = byte;
        }
        for (base, live) in overlapping {
            let from = (base.max(start) - start) as usize;
            let to = ((base + (live.size - 1)).min(end) - start) as usize;
            set_bits(&mut page.live, from, to, true);
            set_bits(&mut page.writable, from, to, live.writable);
            if live.kind == LiveKind::Static {
                page.data[from..=to].fill(0);
            }
        }
        self.pages.push(page);
        let index = (self.pages.len() - 1) as u32;
        self.index.insert(number, index);
        Ok(index)
    }

    /// Reads up to eight bytes.
    #[inline(always)]
    pub fn load(&mut self, address: u64, n: u64) -> Result<u64, Fault> {
        let (number, offset) = (address >> PAGE_BITS, (address & (PAGE as u64 - 1)) as usize);
        let bit = offset & 63;
        if bit + n as usize <= 64 {
            let index = self.page(number)?;
            let page = &self.pages[index];
            let wanted = ((1u64 << n) - 1) << bit;
            if page.live[offset >> 6] & wanted == wanted {
                let bytes: [u8; 8] = page.data[offset..offset + 8].try_into().unwrap_or_default();
                return Ok(u64::from_le_bytes(bytes) & low_bytes(n));
            }
            return self.load_zone(index, address, n);
        }
        self.load_bytes(address, n)
    }

    #[cold]
    fn load_bytes(&mut self, address: u64, n: u64) -> Result<u64, Fault> {
        self.enter_zone_across(address, n)?;
        let mut value = 0;
        for i in 0..n {
            let at = address.checked_add(i).ok_or(Fault::Invalid)?;
            value |= self.load(at, 1)? << (8 * i);
        }
        Ok(value)
    }

    /// Writes the low `n` bytes, at most eight.
    #[inline(always)]
    pub fn store(&mut self, address: u64, n: u64, value: u64) -> Result<(), Fault> {
        let (number, offset) = (address >> PAGE_BITS, (address & (PAGE as u64 - 1)) as usize);
        let bit = offset & 63;
        if bit + n as usize <= 64 {
            let index = self.page(number)?;
            let page = &mut self.pages[index];
            let wanted = ((1u64 << n) - 1) << bit;
            if page.writable[offset >> 6] & wanted == wanted {
                let bytes = value.to_le_bytes();
                match n {
                    8 => page.data[offset..offset + 8].copy_from_slice(&bytes),
                    4 => page.data[offset..offset + 4].copy_from_slice(&bytes[..4]),
                    1 => page.data[offset] = bytes[0],
                    _ => {
                        page.data[offset..offset + n as usize].copy_from_slice(&bytes[..n as usize])
                    }
                }
                return Ok(());
            }
            let live = page.live[offset >> 6] & wanted == wanted;
            if live {
                return Err(Fault::Constant);
            }
            return self.store_zone(index, address, n, value);
        }
        self.store_bytes(address, n, value)
    }

    /// An access in the zone: objects there get their type by the first wide access, as C's
    /// effective types do (C11 6.5 §6), and keep it. The classes of the points-to analysis rest
    /// on that. Single bytes may be read and written anywhere.
    #[cold]
    fn enter_zone(&mut self, address: u64, n: u64) -> Result<(), Fault> {
        if address < self.zone.start || address + n > self.zone.end {
            return Err(Fault::Invalid);
        }
        if n == 1 {
            return Ok(());
        }
        let align = n.min(self.model.pointer_bytes());
        if !n.is_power_of_two() || !address.is_multiple_of(align) {
            return Err(Fault::Invalid);
        }
        for size in [2u64, 4, 8] {
            // Cells of eight bytes may start at any four where pointers have four.
            let step = size.min(self.model.pointer_bytes());
            let first = (address + 1).saturating_sub(size).next_multiple_of(step);
            for at in (first..address + n).step_by(step as usize) {
                if self
                    .zone_cells
                    .get(&at)
                    .is_some_and(|&s| u64::from(s) == size && (size, at) != (n, address))
                {
                    return Err(Fault::Invalid);
                }
            }
        }
        self.zone_cells.insert(address, n as u8);
        Ok(())
    }

    /// The same for an access that goes byte by byte: as a whole it has a type, too.
    fn enter_zone_across(&mut self, address: u64, n: u64) -> Result<(), Fault> {
        if self.zone.contains(&address) {
            self.enter_zone(address, n)?;
        }
        Ok(())
    }

    #[cold]
    fn load_zone(&mut self, page: usize, address: u64, n: u64) -> Result<u64, Fault> {
        self.enter_zone(address, n)?;
        let offset = (address & (PAGE as u64 - 1)) as usize;
        let data = &self.pages[page].data[offset..offset + 8];
        let bytes: [u8; 8] = data.try_into().unwrap_or_default();
        Ok(u64::from_le_bytes(bytes) & low_bytes(n))
    }

    #[cold]
    fn store_zone(&mut self, page: usize, address: u64, n: u64, value: u64) -> Result<(), Fault> {
        self.enter_zone(address, n)?;
        let offset = (address & (PAGE as u64 - 1)) as usize;
        let n = n as usize;
        self.pages[page].data[offset..offset + n].copy_from_slice(&value.to_le_bytes()[..n]);
        Ok(())
    }

    #[cold]
    fn store_bytes(&mut self, address: u64, n: u64, value: u64) -> Result<(), Fault> {
        // All or nothing: look first.
        self.enter_zone_across(address, n)?;
        self.check_write(address, n)?;
        for i in 0..n {
            self.store(address + i, 1, value >> (8 * i))?;
        }
        Ok(())
    }

    /// Whether all bytes of a range can be read.
    pub fn check_read(&mut self, address: u64, n: u64) -> Result<(), Fault> {
        for i in 0..n {
            self.load(address.checked_add(i).ok_or(Fault::Invalid)?, 1)?;
        }
        Ok(())
    }

    /// Whether all bytes of a range can be written.
    pub fn check_write(&mut self, address: u64, n: u64) -> Result<(), Fault> {
        for i in 0..n {
            let at = address.checked_add(i).ok_or(Fault::Invalid)?;
            let byte = self.load(at, 1)?;
            self.store(at, 1, byte)?;
        }
        Ok(())
    }

    /// Copies a range; both sides are checked before anything is written.
    pub fn copy(&mut self, target: u64, source: u64, size: u64) -> Result<(), Fault> {
        self.check_read(source, size)?;
        self.check_write(target, size)?;
        let mut bytes = Vec::with_capacity(size.min(1 << 20) as usize);
        for i in 0..size {
            bytes.push(self.load(source + i, 1)? as u8);
        }
        for (i, byte) in bytes.into_iter().enumerate() {
            self.store(target + i as u64, 1, u64::from(byte))?;
        }
        Ok(())
    }

    /// Writes a byte whether or not something lives there, if its page can exist: for first
    /// contents and for contents made arbitrary.
    pub fn poke(&mut self, address: u64, byte: u8) -> Result<(), Fault> {
        let index = self.page(address >> PAGE_BITS)?;
        self.pages[index].data[(address & (PAGE as u64 - 1)) as usize] = byte;
        Ok(())
    }

    /// Zeroes a range where pages exist; elsewhere they will be made of zeros, if that is the
    /// policy.
    pub fn zero(&mut self, base: u64, size: u64) {
        let mut at = base;
        let end = base + size;
        while at < end {
            let next = ((at >> PAGE_BITS) + 1) << PAGE_BITS;
            let stop = next.min(end);
            if let Some(&index) = self.index.get(&(at >> PAGE_BITS)) {
                let from = (at & (PAGE as u64 - 1)) as usize;
                self.pages[index as usize].data[from..from + (stop - at) as usize].fill(0);
            }
            at = stop;
        }
    }

    /// The aligned eight bytes around an address, whether or not something lives there. Zero
    /// where there is no page.
    pub fn word(&self, address: u64) -> u64 {
        let number = address >> PAGE_BITS;
        let (cached, index) = self.cache[number as usize % CACHE];
        let index = if cached == number {
            index
        } else {
            match self.index.get(&number) {
                Some(&index) => index,
                None => return self.untouched_word(address),
            }
        };
        let offset = (address & (PAGE as u64 - 1) & !7) as usize;
        let bytes = &self.pages[index as usize].data[offset..offset + 8];
        u64::from_le_bytes(bytes.try_into().unwrap_or_default())
    }

    /// What a word would hold if its page were made now.
    fn untouched_word(&self, address: u64) -> u64 {
        let start = address & !7;
        let mut word = 0;
        for i in 0..8 {
            let at = start + i;
            let is_static = self
                .object_at(at)
                .is_some_and(|(_, live)| live.kind == LiveKind::Static);
            let byte = match self.contents.get(&at) {
                _ if is_static => 0,
                Some(&byte) => byte,
                None => self.policy.byte(0, at, self.model),
            };
            word |= u64::from(byte) << (8 * i);
        }
        word
    }

    /// All there is, to be compared.
    pub fn image(&self) -> Image {
        let mut pages: Vec<(u64, u32)> = self.index.iter().map(|(&n, &i)| (n, i)).collect();
        pages.sort_unstable();
        let words = |page: &Page| {
            let data = page.data[..PAGE].chunks_exact(8);
            let data = data.map(|w| u64::from_le_bytes(w.try_into().unwrap_or_default()));
            data.chain(page.live).chain(page.writable).collect()
        };
        let mut cells: Vec<(u64, u8)> = self.zone_cells.iter().map(|(&a, &n)| (a, n)).collect();
        cells.sort_unstable();
        Image {
            pages: pages
                .into_iter()
                .map(|(number, index)| (number, words(&self.pages[index as usize])))
                .collect(),
            objects: self.objects.iter().map(|(&a, &l)| (a, l)).collect(),
            cells,
        }
    }

    /// Reads a C string (without its end), at most `limit` bytes of it.
    pub fn string(&mut self, address: u64, limit: usize) -> Result<Vec<u8>, Fault> {
        let mut found = Vec::new();
        let mut at = address;
        while found.len() < limit {
            let byte = self.load(at, 1)? as u8;
            if byte == 0 {
                break;
            }
            found.push(byte);
            at = at.checked_add(1).ok_or(Fault::Invalid)?;
        }
        Ok(found)
    }
}

fn set_bits(bits: &mut [u64], from: usize, to: usize, on: bool) {
    let (first, last) = (from >> 6, to >> 6);
    for (word, slot) in bits.iter_mut().enumerate().take(last + 1).skip(first) {
        let mut wanted = u64::MAX;
        if word == first {
            wanted &= u64::MAX << (from & 63);
        }
        if word == last {
            wanted &= u64::MAX >> (63 - (to & 63));
        }
        *slot = if on { *slot | wanted } else { *slot & !wanted };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(size: u64) -> Live {
        Live {
            size,
            writable: true,
            kind: LiveKind::Heap,
        }
    }

    #[test]
    fn accesses_are_checked_to_the_byte() {
        let mut m = Memory::new(DataModel::Lp64, &Test::zero(), 1 << 20);
        m.add(0x10000, heap(10));
        assert_eq!(m.store(0x10000, 8, u64::MAX), Ok(()));
        assert_eq!(m.load(0x10006, 4), Ok(0xffff));
        assert_eq!(m.load(0x10007, 4), Err(Fault::Invalid));
        assert_eq!(m.load(0xffff, 1), Err(Fault::Invalid));
        assert_eq!(m.load(0, 1), Err(Fault::Invalid));
        m.remove(0x10000);
        assert_eq!(m.load(0x10000, 1), Err(Fault::Invalid));
    }

    #[test]
    fn a_word_across_pages() {
        let mut m = Memory::new(DataModel::Lp64, &Test::zero(), 1 << 20);
        m.add(0x10ff0, heap(64));
        assert_eq!(m.store(0x10ffd, 8, 0x1122_3344_5566_7788), Ok(()));
        assert_eq!(m.load(0x10ffd, 8), Ok(0x1122_3344_5566_7788));
        assert_eq!(m.load(0x10fff, 1), Ok(0x66));
    }

    #[test]
    fn a_huge_object_costs_what_is_touched() {
        let mut m = Memory::new(DataModel::Lp64, &Test::zero(), 1 << 20);
        m.add(0x2000_0000_0000, heap(1 << 40));
        assert_eq!(m.store(0x2000_0000_0000 + (1 << 39), 4, 7), Ok(()));
        assert_eq!(m.load(0x2000_0000_0000 + (1 << 39), 4), Ok(7));
        assert!(m.used() < 20_000);
    }

    #[test]
    fn constants_cannot_be_written_and_the_zone_can() {
        let mut m = Memory::new(DataModel::Lp64, &Test::seeded(3), 1 << 20);
        m.add(
            0x10000,
            Live {
                size: 4,
                writable: false,
                kind: LiveKind::Static,
            },
        );
        assert_eq!(m.load(0x10000, 4), Ok(0));
        assert_eq!(m.store(0x10000, 4, 1), Err(Fault::Constant));
        let zone = 0x6000_0000_0040;
        let first = m.load(zone, 8);
        assert_eq!(m.load(zone, 8), first);
        assert_eq!(m.store(zone, 8, 9), Ok(()));
        assert_eq!(m.load(zone, 8), Ok(9));
    }

    #[test]
    fn an_unknown_object_keeps_the_type_of_its_first_access() {
        let mut m = Memory::new(DataModel::Lp64, &Test::zero(), 1 << 20);
        let zone = 0x6000_0000_0040;
        assert_eq!(m.store(zone, 8, 0x1122), Ok(()));
        assert_eq!(m.load(zone + 4, 4), Err(Fault::Invalid));
        assert_eq!(m.store(zone, 4, 1), Err(Fault::Invalid));
        assert_eq!(m.load(zone, 1), Ok(0x22));
        assert_eq!(m.load(zone + 8, 4), Ok(0));
        assert_eq!(m.load(zone + 8, 8), Err(Fault::Invalid));
        assert_eq!(m.load(zone + 13, 4), Err(Fault::Invalid), "misaligned");
        let line_end = zone + 0x3e;
        assert_eq!(m.load(line_end, 4), Err(Fault::Invalid), "misaligned");
        assert_eq!(m.store(line_end, 4, 1), Err(Fault::Invalid), "misaligned");
        assert_eq!(m.load(zone, 8), Ok(0x1122));
    }
}
